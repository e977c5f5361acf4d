"""Science: research, nature and technology."""

from newsclean.demo.topics.topic import Topic, angles, lines

SCIENCE = Topic(
    angles=angles("""
Researchers from {place} [solve|explain|untangle] the riddle of {subject}
A question that had puzzled generations of observers turns out to have a simple answer.
A team from {place} believes that it has solved the riddle of {subject}. After {span} of
    measurements, the researchers [can say|think they know] what lies behind it, and it is not
    what the textbooks suggest.
{org} [launches|begins] {money} study of {subject}
The programme will run for years and involves volunteers along the whole coast.
{org} has started the largest study of {subject} so far, with a budget of {money} and {big}
    volunteers. The first [samples|readings] were taken near {place} on {weekday}.
New instrument in {place} [sees|measures|follows] {subject} as never before
It weighs as much as a bus and took longer to build than planned, but the first data are
    promising.
An instrument that took {span} to build has delivered its first data on {subject}. It stands in
    a former quarry outside {place}, [far|well] away from roads and street lamps.
{subject}: why {lead} no longer trusts the old maps
Records that researchers relied on for decades contain an error, and it is larger than anyone
    thought.
For decades, everyone who worked on {subject} used the same set of maps. They are wrong, says
    {lead} from {org}, and the error amounts to {pct}.
Volunteers from {place} [count|track] {subject} for the {nth} time
What began as a school project has become one of the longest records of its kind.
Every {month}, the people of {place} go out with lamps and notebooks to record {subject}. This
    time {big} of them took part, [more than ever|a new record], and the results surprised even
    {org}.
Old notebooks from {town} [shed|throw] new light on {subject}
A box found in an attic holds observations that nobody had looked at for more than a century.
A box of notebooks found in {town} may change what is known about {subject}. They were kept by a
    ship's doctor and hold {big} observations, each with date, hour and weather.
"""),
    details=lines("""
The team took {big} samples between {place} and {town}, most of them at night.
Each measurement was repeated {n} times, and the results agreed to within {pct}.
The [paper|study] appears this week in *{journal}*.
Earlier work, published in *{journal}*, had put the figure at less than half.
With {method}, the group could follow changes from one hour to the next.
Because {method} is expensive, the researchers could afford only {n} days with it.
The data fill {n} shelves of hard drives in a cellar in {town}.
In {month} the signal vanished for {span}, and nobody knows why.
A second group, working in {town} with {method}, found the same pattern.
The sensors sit {n} metres below ground, where the temperature hardly changes.
Statistically, the chance of a mere coincidence is below {pct}.
The researchers compared their readings with {big} entries from old harbour logs.
Students from {place} walked the whole coast and noted every find on a map.
About {pct} of the readings had to be thrown away because of a faulty cable.
A computer model that ran for {span} reproduced the effect almost exactly.
In the model, a change of only {pct} is enough to tip the balance.
The effect is strongest in {month}, when the wind turns to the east.
Funding of {money} runs until {month} and may be extended once.
The laboratory in {place} was built for {n} people and now houses three times as many.
To rule out errors, samples were sent to {town} without labels.
The oldest layer dates from a time when {place} was still under the sea.
What puzzles the authors most is the gap between {place} and {town}, only {n} kilometres apart.
For the reviewers at *{journal}*, the crucial point was the use of {method}.
The method can be used elsewhere too, for example to test drinking water in {town}.
A prototype the size of a shoebox already runs on the roof of the town library in {place}.
The archive of {org} keeps {big} glass plates that nobody has yet scanned.
If the trend continues, the value will have doubled in {span}.
Some {pct} of the volunteers had never held an instrument of this kind before.
The team's first attempt, {span} ago, ended when a storm tore the buoys from their chains.
All data are public, and {n} schools already use them in class.
"""),
    voices=lines("""
“We looked at the screen and thought the cable was broken again,” {lead} [recalled|said].
“With {method} we can ask questions that were out of reach {span} ago,” said {second}.
{critic}, who was not involved, called the work “careful, and long overdue”.
“The result is solid, but {n} days are a short time,” {critic} cautioned.
“Half of what we know about {subject} comes from people who were not paid for it,” said
    {second}.
{lead} hopes for a second campaign in {month}.
“I would like to see the same in {town} before I believe it,” {critic} said.
“Nature does not read *{journal}*,” {lead} said with a laugh.
According to {second}, the hardest part was to carry {n} batteries up the hill.
“We were wrong about {subject} for {span}, and that is good news, because now we know,” said
    {lead}.
"""),
    statements=lines("""
You spend {span} on a question, and then the answer arrives on a wet {weekday} while you are
    making tea.
People ask what {subject} is good for. I tell them to ask again in {n} years.
An error of {pct} does not sound like much. For us it was the difference between a theory and a
    waste basket.
The notebooks are precise because their author was bored. Boredom at sea gave us {big} perfect
    observations.
We share every number. If somebody in {town} finds a mistake in {month}, so much the better.
"""),
    subheadings=lines("""
Measured {n} times
The gap near {town}
What {method} reveals
A quiet place near {place}
Doubts about the {month} data
{big} observations
The trouble with {subject}
Volunteers from {town}
An error of {pct}
Back to {place} in {month}
Why {method} matters
"""),
    list_intros=lines("""
What the team from {place} has found so far about {subject}:
For the next campaign in {month}, {org} needs:
The study leaves these questions to the colleagues in {town}:
"""),
    list_items=lines("""
the signal peaks {n} minutes after sunset near {place}
~Depth:~ readings below {n} metres differ by {pct}
{n} more stations between {place} and {town}
the effect disappears in {month} and returns {span} later
~Cost:~ one run with {method} takes {big} crowns
a boat that can stay at sea for {n} days
why {town} lies outside the pattern
whether {method} works in fresh water
~Records:~ {big} pages from the attic in {town} remain unread
volunteers for the night shifts in {month}
a difference of {pct} between day and night at {town}
permission to work in the reserve near {town} for {span}
"""),
    captions=lines("""
The station of {org} on the cliffs near {place}
{second} prepares the instruments for {method}
Volunteers in {place} on the first night of the count
One of {big} glass plates in the archive in {town}
The quarry outside {place} where the sensors are buried
A buoy returns to {town} after {span} at sea
"""),
    table_head=(
        "Station, {n} {month}",
        "Samples with {method}, {n} runs",
        "Deviation from {town} series {n}",
    ),
    table_row=("{town}, {n} metres deep", "{big} samples", "{pct} above"),
    organisations=lines("""
the Coastal Observatory
the Institute for Tidal Research
the Arvonian Academy of Sciences
the Botanical Survey
the Lanmoor Laboratory
the Polar Museum
the University of Quillhaven
"""),
    roles=(
        ("oceanographer", "astronomer", "ecologist", "geologist", "project leader"),
        ("doctoral student", "field technician", "data scientist", "biologist"),
        ("physicist", "statistician", "climate historian", "emeritus professor"),
    ),
    fixed={
        "subject": lines("""
singing sand dunes
glowing plankton
migrating moths
drifting meteor trails
warm winter currents
eel migration
ancient pollen
lightning over the bay
shell growth rings
silent earthquakes
sea fog
night-flying swifts
salt marsh carbon
peat bog fires
"""),
    },
    free={
        "journal": lines("""
Annals of the Coast
Tidal Letters
The Arvonian Naturalist
Quarterly Review of Field Science
Open Measurements
"""),
        "method": lines("""
laser ranging
isotope dating
drone photography
acoustic mapping
gene sequencing
radar imaging
thermal scanning
machine vision
"""),
    },
)
