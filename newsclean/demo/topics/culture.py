"""Culture: theatre, books, music and film."""

from newsclean.demo.topics.topic import Topic, angles, lines

CULTURE = Topic(
    angles=angles("""
*{work}* [opens|has its premiere|comes home] in {place}
A play that was once forbidden fills the house, and nobody in the stalls looks at the clock.
With *{work}*, {org} [dares|takes on] a piece that other theatres in the region have avoided.
    The premiere in {place} on {weekday} ended with {n} curtain calls.
{lead} [wins|receives|is awarded] the {place} prize for *{work}*
The jury praises a quiet book about people who stay behind when all others leave.
The {place} prize, worth {big} crowns, goes this year to {lead} for *{work}*. The jury chose the
    title from {n} entries after a discussion that [lasted|took] until midnight.
A festival in {place} [looks for|finds] its future with *{work}*
For years visitors stayed away, but now the tents are full again and the sponsors are back.
The summer festival in {place} was close to its end {span} ago. Now {big} people came to the
    first weekend, most of them because of *{work}*.
{org} [shows|unlocks|displays] the lost pictures of {place}
Hidden for decades behind a false wall, the works can now be seen for the first time.
Behind a false wall in {place}, builders found {n} paintings that had been missing since the
    flood. {org} is now showing them under the title *{work}*.
Film about {place}: *{work}* [divides|moves|delights] its home town
Half of the town had a part in it, and the other half has an opinion about it.
When the lights went on again in the old cinema of {place}, nobody spoke for a while. *{work}*,
    directed by {lead}, was shot here over {span} with {n} professionals and several hundred
    residents.
Why *{work}* still [fills|matters to] concert halls from {place} to {town}
The song cycle was written in a kitchen and first performed in a boat shed.
No piece of music is played more often between {place} and {town} than *{work}*. {org} now
    brings it back, {span} after the first performance, in the form in which it was written.
"""),
    details=lines("""
The stage is almost bare: a table, {n} chairs and a window through which it never stops raining.
{artist} plays the ferryman with a calm that makes the others look nervous.
In the second part, {artist} sings for {n} minutes without any accompaniment.
The costumes come from the stores of {org}, where they had hung since {month}.
Readers know the plot from *{other}*, but here it takes another turn.
The novel tells of two sisters who inherit a lighthouse and {big} unpaid bills.
Its {n} chapters are short, and each of them begins with the weather.
A first edition of {big} copies was sold out within {span}.
Among the rivals were *{other}* and a volume of letters from {town}.
The orchestra sits behind the audience, an idea that worked better in {town} than it does here.
Tickets cost {n} crowns, and those for {month} are gone.
{artist} painted most of the pictures in one winter, by lamplight and with boat varnish.
X-rays revealed that {pct} of the surface had been painted over at least once.
The museum spent {money} on lamps, glass and a floor that does not creak.
A sponsor from {town} paid for the restoration, on condition that entry stays free on every
    {weekday}.
The camera stays close to the hands of {artist}, which say more than the dialogue.
Much of it was filmed in {month}, when the light over the bay lasts only {n} hours.
In contrast to *{other}*, the ending leaves room for hope.
Critics in {town} were less kind and spoke of {n} minutes too many.
The choir has {n} members, among them a baker, two pilots and the vicar.
{artist} learned the part in {span}, between shifts at the cannery.
During the interval, people argued on the steps about whether *{other}* had not been braver.
The house in {place} seats {n} rows of people, and on {weekday} even the stairs were taken.
A recording of the concert is to appear in {month}, with notes by {artist}.
The festival gets {money} from the region, about {pct} less than before.
School classes from {town} may sit in on rehearsals until the end of {month}.
The score had been lost until a page of it turned up in {town} as the lining of a drawer.
Nearly {pct} of the audience came from outside, which pleases the hotels in {place}.
The sets for *{other}* were reused, as the workshop had neither time nor timber.
Between the scenes one hears recordings of the market in {town}, made {span} ago.
"""),
    voices=lines("""
“I wrote it for {n} people and hoped that half of them would like it,” said {lead}.
“You cannot play *{other}* in the same week and sleep well,” {second} [admitted|said].
{critic} called the evening “too long by {n} minutes and too short by one idea”.
“The rain is the main character, and {artist} knows it,” said {second}.
“In {town} they laughed at the wrong moments, and here they laughed at the right ones,” {lead}
    said.
{lead} does not want to hear of a sequel before {month}.
“For {span} I walked past that wall every day,” said {second}, still shaking her head.
“{artist} could read out a timetable, and I would buy a ticket,” {critic} confessed.
“A prize of this kind pays the heating until {month},” {lead} said dryly.
According to {critic}, only *{other}* has captured the coast as well.
"""),
    statements=lines("""
A theatre is a room in which {big} strangers agree to believe the same thing for two hours.
I did not find the story. It sat in a café in {town} for {span} and waited until I came in.
We opened the wall and saw a face. It took us {n} minutes before anyone dared to speak.
People say that *{other}* is the masterpiece. I say: come on a {weekday} in {month} and listen
    again.
You can hear that it was written in a kitchen. There are {n} bars in it that sound like washing
    up.
"""),
    subheadings=lines("""
Rain on the stage in {place}
{artist} and the ferryman
After *{other}*
A wall in {place}
The {month} audience
Written in {town}
{n} curtain calls
Money for {org}
The hands of {artist}
A quarrel about *{other}*
On tour to {town}
"""),
    list_intros=lines("""
Also worth a visit between {place} and {town} until {month}:
The jury in {place} had these works on its final list:
Five things to know before you go and see {lead}'s work in {place}:
"""),
    list_items=lines("""
*{other}*, a puppet play for adults, in {town} every {weekday}
readings by {artist} in the boat shed of {town}
~{artist}~ with a diary of {n} nights on the ferry
an open rehearsal in {month}, with soup for {n} crowns
~Getting there:~ the last bus to {town} leaves {n} minutes after the end
a walk through {town} on the traces of *{other}*
prints by {artist}, from {big} crowns
~Length:~ {n} minutes more than in {town}
the exhibition of {big} postcards in the station of {town}
*{other}* in a new translation by {artist}
late opening on every {weekday} in {month}
~For children:~ a shorter version with {artist}, at half price in {town}
"""),
    captions=lines("""
{artist} in a scene from the {place} production
The audience in {place} on the night of the premiere
{lead} at the prize ceremony in {place}
One of {n} paintings found behind the wall in {place}
{artist} during rehearsals in {town}
The old cinema in {place}, reopened in {month}
"""),
    table_head=(
        "Evenings until {n} {month}",
        "Sold by {n} {month}",
        "Change on {month} season in {town}",
    ),
    table_row=("*{other}*, night {n}, with {artist}", "{big} tickets", "{pct} more"),
    organisations=lines("""
the Ferry Theatre
the Museum of the Coast
the Lantern Ensemble
the Municipal Opera
the Boat Shed Players
the Gallery on the Quay
the Oldbridge Chamber Choir
"""),
    roles=(
        ("director", "novelist", "composer", "artistic director"),
        ("stage designer", "curator", "actress", "dramaturge"),
        ("critic", "jury member", "publisher", "festival historian"),
    ),
    fixed={
        "work": lines("""
The Glass Ferry
A Winter in Saltmere
Nine Lamps
The Keeper's Daughter
What the Tide Returned
The Orchard at Night
Letters to Nobody
The Bell Under the Water
Small Hours
The Last Passenger
A House of Rope
The Herring Queen
Quiet Engines
Songs for a Low Ceiling
"""),
    },
    free={
        "artist": lines("""
Isolde Marchbank
Perrin Vale
Odette Larkin
Corwin Ashby
Thea Ravensworth
Milo Sandoval-Pryce
Greta Hollin
Anselm Dorrit
Nuala Kestin
Jonas Wetherby
"""),
        "other": lines("""
The Salt Road
Three Anchors
The Weather Clerk
Mother of Gulls
Paper Harbour
An Evening Without Wind
The Cartographer
The Empty Net
Under the Viaduct
Dust and Oars
"""),
    },
)
