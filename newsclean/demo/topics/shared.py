"""Names, places and sentences that serve stories of every topic."""

from newsclean.demo.topics.topic import lines

PLACES = lines("""
Velmouth
Corrin Bay
Oldbridge
Thistlewick
Saltmere
Dunfallow
Pennard Cross
Ostrey
Lanmoor
Brackwater
Quillhaven
Tarn Hollow
Eastmarch
Merrowford
Kestrel Point
""")

FIRST_NAMES = tuple(
    "Mara Ansel Petra Ivo Celia Rowan Judith Osric Lena Matthis Selma Piers Wanda Hugo Ines "
    "Alban Freya Caspar Dorothea Emil Nadia Silas Beatrix Konrad Yara Lionel Tamsin Gideon Orla "
    "Felix Hester Magnus Paloma Rufus Viola Edmund Zora Barnaby Linnea Quentin".split()
)

LAST_NAMES = tuple(
    "Quillon Brodrick Hallam Vesper Thornbury Okoro Lindgren-Shaw Marwick Castellan Penhallow "
    "Drummet Alderley Rosier Farrow Winterbourne Sorley Hathersage Demarco Ferris Greatorex "
    "Bellamy Stannard Ilves Trevanion Mossop Harkaway Ridley-Voss Ambrose Tolland Cardew Yarrow "
    "Pascoe Kemble Isham Norrington Eversley Blackadder-Low Fontaine Umber Leggatt Sallow "
    "Redfern Corbyn-Hale Wexcombe Dunmore Arkwright Nettleton Oakes Priddy Hanneman".split()
)

MONTHS = tuple(
    "January February March April May June July August September October November December".split()
)

WEEKDAYS = tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())

SPANS = lines("""
six weeks
two months
five months
nearly a year
eighteen months
two years
more than three years
five years
almost seven years
a decade
twelve years
two decades
""")

VOICES = lines("""
“Ask me again in {month},” said {lead}, “and I will have {n} reasons for you.”
“It is easy to be against something in {place}, and harder to be for it,” {second} said.
{critic} was more careful and pointed to the experience of {town}.
“We made mistakes, {n} of them at least, and we have learned from each one,” {lead} admitted.
“I have heard that promise for {span},” said {critic}.
{second} spoke of “a good {weekday} for {place}, and a bad one for those who had given up”.
“People from {town} ring me up and ask how we did it,” {second} said.
Later, on the steps outside, {critic} put it more bluntly: “They had {span}, and they did
    nothing.”
“{money} is a large sum, but it is not the point,” {lead} said on {weekday}.
A spokeswoman for {org} said only that an answer would follow in {month}.
“Without {town} we would not be standing here,” said {lead}.
{second} had expected resistance, but not “{n} angry letters a day”.
""")

BACKGROUND = lines("""
^An earlier report^ had put the number at {big}, which turned out to be too low.
The background is [complicated|long]: {org} and the authorities in {town} have been at odds for
    {span}.
As *The Arvonian Yearbook* notes, {place} had {big} inhabitants at the last count.
The matter first came up in {month}, as ^this newspaper reported^ at the time.
Since {month}, the number of enquiries has grown by {pct}, and {org} had to add staff.
In {place} itself, opinions differ, and they differ more loudly every {weekday}.
It is the third attempt in {span}; the first two failed for lack of money.
Anyone who wants to understand the affair has to go back {span}, to a meeting in {town}.
Much depends on {town}, which has ^troubles of its own^ and has not replied to {n} letters.
{place} is not alone: in {town}, too, people have waited {span} for a solution.
On paper, {org} has {big} crowns a year for such purposes, and in practice rather less.
The road between {place} and {town} is only {n} kilometres long, but the two see the world
    differently.
A similar case in {town} ended {span} ago with an apology and a payment of {big} crowns.
For comparison, ^the project in {town}^ needed {span} and cost {money}.
What is certain is that {pct} of those asked by {org} want to see results before {month}.
""")

OUTLOOK = lines("""
A decision is expected in {month}, and until then everything in {place} stays as it is.
{org} wants to report again in {month}, this time with figures from {town}.
The next meeting takes place in {town} on the first {weekday} of {month}.
Whether {span} will be enough is another question, and {lead} prefers not to answer it yet.
By {month} at the latest, {place} should know more.
For now, {lead} is planning {n} days of holiday, somewhere without a telephone.
If all goes well, {town} will follow in {month}.
In {place}, meanwhile, life goes on, and {second} has already put up a notice for next
    {weekday}.
The last word will be spoken in {town}, though hardly before {month}.
Until then, {critic} intends to keep a close eye on {org}.
Those who want to be there should keep the second {weekday} in {month} free.
{second} is sure of one thing: it will not take another {span}.
""")

TEASER_ENDS = lines("""
A report from {place}.
What that means for {place} and {town}.
{lead} explains what happens next.
In {place}, people have waited {span} for this.
A visit to {org}.
Between {place} and {town}, the mood is changing.
{critic} is not convinced.
The next date is in {month}.
""")
