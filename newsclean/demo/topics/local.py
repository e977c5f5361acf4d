"""Local news: streets, schools, weather and neighbours."""

from newsclean.demo.topics.topic import Topic, angles, lines

LOCAL = Topic(
    angles=angles("""
{place} [fights|argues|worries] over {thing}
What one side calls a treasure is a ruin to the other, and time is running out.
A dispute over {thing} keeps {place} busy. {org} wants to save it, while the owner has
    [asked|applied] for permission to pull it down before {month}.
Storm [damages|batters|floods] {thing} in {place}
Firefighters worked through the night, and a school hall became a shelter.
A storm that lasted {n} hours has damaged {thing} in {place} and cut off {big} homes from the
    power supply. Nobody was seriously hurt, {org} said on {weekday}.
{place} [reopens|celebrates|welcomes back] {thing} after {span}
Hundreds came to see the ribbon cut, and some of them had waited for it half their lives.
After {span} of repairs, {thing} in {place} is open again. {lead} cut the ribbon on {weekday} in
    front of {big} [visitors|neighbours], a brass band and one runaway goat.
How {lead} [keeps|saved|runs] {thing} in {place}
There is no money and no staff, but there is a rota on the kitchen door.
Every {weekday} morning, before the shops open, {lead} unlocks {thing} in {place}. There is no
    pay for it and [little|hardly any] thanks, but without volunteers the place would have
    closed {span} ago.
Roadworks near {thing} [annoy|exhaust|divide] {place}
Buses take a long detour, and shopkeepers count their losses with every week of delay.
The roadworks beside {thing} in {place} will last {n} weeks longer than planned. {org} gave the
    news on {weekday}, and the [traders|shopkeepers] of the quarter took it badly.
Pupils from {place} [plan|design|rebuild] {thing}
What started as homework has turned into a building site with real helmets.
A school class from {place} has made plans for {thing}, and {org} takes them seriously. The {n}
    pupils worked on them for {span} and presented a model on {weekday}.
"""),
    details=lines("""
The repairs cost {money}, of which {pct} came from donations.
Around {street}, cellars stood under {n} centimetres of water.
The fire brigade was called {n} times, mostly to fallen trees in {street}.
In {month} the building inspector had found cracks {n} millimetres wide.
Neighbours from {street} brought soup, blankets and a very old generator.
The detour through {street} takes {n} minutes, and lorries keep getting stuck in the bend.
According to {org}, {big} people a week make use of it.
A list on the door shows who does the cleaning; in {month} it is the turn of the anglers.
The parish register mentions the site for the first time {span} before the great fire.
Shops in {street} report that takings have fallen by {pct}.
{org} has set up a telephone line that is open until late on every {weekday}.
Buses to {town} leave from {street} until the work is finished.
The oldest visitor, who is {n} and a half years older than the bridge, had come from {town}.
Two families from {street} had to spend the night with relatives in {town}.
The pupils measured everything themselves, with a rope that had a knot for every metre.
Their model, built of {big} matchsticks, now stands in the window of the savings bank.
A stall at the weekly market in {town} sells jam for the good cause, at {n} crowns a jar.
The council offers {big} crowns, which would pay for the scaffolding and little else.
From {month} on, the gates will stay open until sunset.
Lightning struck the chimney in {street}, and bricks landed in a pram that was luckily empty.
The weather station in {town} measured {n} litres of rain per square metre within an hour.
The association has {n} members who are still able to climb a ladder.
Some {pct} of the signatures came from {town}, whose children use the place as well.
Permission was granted in {month}, subject to {n} conditions.
The contractor found an unmapped well under {street} and had to stop for {span}.
A cat that had been missing since {month} was found unharmed behind the boiler.
Old photographs from {town} show that the roof was once red.
For the opening, bakers in {street} made a cake {n} metres long, and it was gone within the
    hour.
Delivery vans may use {street} only before nine, a rule that few drivers seem to know.
The insurance will decide in {month} whether it pays for the damage in {street}.
"""),
    voices=lines("""
“I was born in {street}, and I do not intend to move because of a puddle,” said {second}.
“We have {n} keys and nobody knows which one fits,” {lead} [said|joked].
“It is not beautiful, but it is ours,” said {critic}.
{second} wants to know why nobody in {street} was told before {month}.
“The children have better ideas than the {n} experts before them,” {lead} said.
“You can hear the water in the walls from here to {town},” {second} said.
{critic} fears that {street} will be empty by {month}.
“Give us {span} and {big} crowns, and we will do the rest with our own hands,” said {lead}.
“I have driven this bus for {span} and have never been so late,” {critic} grumbled.
{lead} thanked everyone, and above all the bakers of {street}.
"""),
    statements=lines("""
When the lights went out we lit {n} candles and played cards. By {weekday} we knew all our
    neighbours by name.
They tell us that it will take {span}. They told us the same in {month}, and they were wrong
    then too.
Nobody gets rich with this. But on a {weekday} in {month}, when it is full of children, I would
    not swap with anyone.
My father carried the stones up from {street} on his back. I can at least carry a folder to the
    town hall.
If {town} can keep its pond clean with {n} volunteers, then we can keep a roof dry.
"""),
    subheadings=lines("""
Water in {street}
{n} keys and no plan
Help from {town}
Open again in {month}
The mood in {street}
A bill of {money}
Cake for {big} people
What {org} says
The {weekday} rota
Detour through {street}
A well under {street}
"""),
    list_intros=lines("""
What people in {place} should know about {thing}:
{org} asks everyone who lives near {street} to note the following:
The volunteers of {place} are still looking for:
"""),
    list_items=lines("""
{street} is closed to cars until the end of {month}
~Bus:~ line {n} stops in front of the bakery in {street}
guided tours every {weekday}, except in {month}
donations of {n} crowns or more are listed on a board
~Water:~ boil it in {street} for {n} days
somebody with a lorry who drives to {town} on a {weekday}
{big} roof tiles, red if possible
~Meeting:~ in the school in {street} on the last {weekday} of {month}
a ladder that is at least {n} metres long
a piano tuner, preferably from {town}
~Rubbish:~ collection in {street} moves to {weekday}
the road to {town} stays open for ambulances and {n} school buses
"""),
    captions=lines("""
Volunteers at work on {thing} in {place}
{street} on the morning after the storm
{lead} with the keys to {thing}
Children from {place} with their model
The market in {town}, where jam is sold for the repairs
A detour sign in {street}, seen in {month}
"""),
    table_head=(
        "Street, as of {n} {month}",
        "Damage reported by {n} {month}",
        "Repaired with {n} helpers from {town}",
    ),
    table_row=("{street}, numbers {n} to {n}", "{big} crowns of damage", "{n} {month}, house {n}"),
    organisations=lines("""
the Neighbourhood Trust
the fire brigade
the Friends of the Old Town
the highways office
the Parents' Association
the Harbour Parish
the Allotment Society
"""),
    roles=(
        ("caretaker", "volunteer", "retired teacher", "parish clerk", "headmistress"),
        ("neighbour", "baker", "shop owner", "fire officer"),
        ("bus driver", "local historian", "market trader", "allotment holder"),
    ),
    fixed={
        "thing": lines("""
the old swimming bath
the clock tower
the ferry landing
the village library
the iron footbridge
the station buffet
the lido
the windmill
the skate park
the lifeboat house
the reading room
the bandstand
the tide mill
the allotment hall
"""),
    },
    free={
        "street": lines("""
Herring Lane
Chapel Street
Lower Quay
Weavers' Yard
Cooper's Hill
Station Road
Lantern Street
Ropewalk
Orchard Close
Bishop's Stairs
Windlass Row
Priory Gardens
"""),
    },
)
