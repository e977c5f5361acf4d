"""Business: companies, results and jobs."""

from newsclean.demo.topics.topic import Topic, angles, lines

BUSINESS = Topic(
    angles=angles("""
{org} [plans|opens|announces] new plant for {product} in {place}
The company wants to hire several hundred people and has already bought the land.
{org} will build a plant for {product} in {place}, the company said on {weekday}. It is
    [set|expected] to open in {month} and to give work to {big} people.
Profit at {org} [falls|slips|drops] {pct} as demand for {product} cools
Customers are ordering later and paying less, and the board has begun to cut costs.
Profit at {org} fell by {pct} in the last quarter because customers [bought|ordered] fewer
    {product}. The company, which has its seat in {place}, still earned {money}.
Workers at {org} [end|suspend|call off] strike over {product} shifts
After a long dispute, both sides accept a pay deal that runs for two years.
The strike at {org} is over: after {span}, workers in {place} returned on {weekday} to the lines
    that make {product}. The deal gives them {pct} more pay in two steps.
{lead} takes over at {org} with a promise of {money}
The new head wants to spend heavily on a business that others had written off.
{lead} has taken charge of {org}, and began with a promise to invest {money} in {product}. For
    {place}, where the group employs {big} people, that is the best news in {span}.
{org} and rival from {town} [agree|confirm|prepare] merger
Together the two firms would make a third of the {product} sold in the country.
{org} wants to merge with its largest competitor, a family firm from {town} that has made
    {product} for three generations. The deal values the combined group at {money}.
How {place} became the [capital|home] of {product}
A trade that was nearly dead now feeds a whole town, thanks to cheap sheds and stubborn owners.
Nobody planned it, but {place} now makes more {product} than any other town in Arvonia. It
    started {span} ago, when {org} rented an empty shed beside the freight yard.
"""),
    details=lines("""
Sales rose to {money} in the period, mostly because of orders from {market}.
The order book is worth {money}, which would keep the lines busy for {span}.
Shares in {org} [gained|lost] {pct} on the exchange in {town} by the close on {weekday}.
Analysts at {bank} had expected a profit of {money}.
The price of raw materials has gone up by {pct} since {month}, and freight has become dearer
    too.
About {n} suppliers in the area around {place} depend on the group, some of them entirely.
A second shift in {place} is to start in {month}, with {n} apprentices among the new staff.
In {market}, the group now sells {big} units a year, against almost none a decade ago.
The loan of {money} comes from {bank} and has to be repaid within {span}.
Rents for workshops in {place} have climbed by {pct}, and the last empty hall was let in
    {month}.
Compared with {market}, wages in {place} remain low, which helps exporters of {product}.
The competition office in {town} has {n} weeks to object.
Management wants to save {money} a year, chiefly on energy and travel.
For every hundred crowns in sales, {n} crowns go into research.
The warehouse near {town} can hold {big} pallets and is already too small.
A survey by {bank} shows that {pct} of firms in the region look for skilled staff and cannot
    find any.
Orders from {market} made up {pct} of the total, more than ever before.
The family that founded the business still owns {pct} of it and has no plans to sell.
Half of the machines in {place} are older than the people who run them, and spare parts come
    from {town}.
The dividend stays at {n} crowns a share, although {bank} had advised the board to cut it.
Each shift turns out around {big} pieces, nearly all of which leave {place} by rail.
A fire in {month} had stopped production of {product} for {span}.
Insurance paid {money}, and the rest had to come from savings.
The number of people out of work in {place} has fallen to {pct}, the lowest for years.
Customers in {market} wait {n} weeks for delivery, and some have begun to look elsewhere.
The new line needs {pct} less power, since it reuses the heat of the drying ovens.
Start-ups pay {big} crowns a year for a desk in the former customs house of {place}.
The union represents {big} members on the site and wants a seat on the board.
Next to the main gate stands the first machine of the house, bought second-hand in {town}.
{bank} has raised its forecast for the industry to {pct} growth.
"""),
    voices=lines("""
“We have orders for {span}, and what we lack is people,” said {lead}.
“A good quarter does not make a good year,” {second} [warned|said] with a glance at {market}.
{lead} said that the group would stay in {place} “as long as there is a railway”.
“In {month} we will see whether {product} can carry the whole company,” said {critic}.
{critic} called the target of {money} “brave, to put it kindly”.
“Nobody buys {product} for fun; people buy them when they trust tomorrow,” {second} said.
“The machines are old, but our customers in {market} are loyal,” {second} explained during a
    tour of the plant.
{lead} refused to rule out job losses in {town} before {month}.
“I read the contract {n} times and still found no date in it,” said {critic}.
“If {bank} asks, we show the books, and if anyone else asks, we show the door,” {lead} joked.
"""),
    statements=lines("""
We do not want to be the largest maker of {product}. We want to be the one that still answers
    the telephone in {span}.
Growth of {pct} sounds pleasant. It is less pleasant when you have to find {n} welders before
    {month}.
My grandmother packed the first crate for {market} herself. She would not understand the
    spreadsheets, but she would understand the margin.
A strike costs both sides. After {span} nobody in {place} asked any more who had been right.
Money from {bank} is patient for about {n} months. After that it starts to ask questions.
"""),
    subheadings=lines("""
Orders from {market}
A hall in {place}
Looking for {n} welders
What {bank} expects
The cost of {product}
Cheaper in {town}
{money} of new debt
The long road to {market}
Old machines, new {product}
A forecast of {pct}
Waiting until {month}
"""),
    list_intros=lines("""
What {org} intends to do with the {money}:
In its letter to shareholders in {place}, the board names these risks:
The agreement signed on {weekday} in {town} rests on a handful of points:
"""),
    list_items=lines("""
a new drying hall in {place}, ready in {month}
{n} training places a year, shared with the technical school in {town}
~Prices:~ {product} become {pct} dearer from {month}
the sale of a warehouse near {town} for {money}
~Jobs:~ no dismissals at the main site for {span}
a sales office in {market} with {n} people
the loss of a customer in {market} who bought goods worth {money}
~Energy:~ solar panels on {big} square metres of roof
a bonus of {big} crowns for everyone on the night shift
higher rates at {bank}, which would cost {money} a year
the purchase of {n} electric lorries for the road to {town}
~Ownership:~ the family keeps {pct} of the votes
"""),
    captions=lines("""
The works of {org} in {place}, seen from the freight yard
A worker checks {product} before they leave for {market}
Pallets with {product} in the warehouse near {town}
The head office in {place} on the morning of the announcement
Trainees at {org} learn how to set up a press
The trading floor in {town} on {weekday}
"""),
    table_head=(
        "Market, as of {n} {month}",
        "Sales in {n} weeks until {month}",
        "Change, with {town} at {pct}",
    ),
    table_row=("{market}, {n} customers", "{money}", "{pct} up"),
    organisations=lines("""
Tarn & Holloway
Brightwater Mills
Corrin Marine
Pell & Daughters
Northline Freight
Kestrel Instruments
Ostrey Glass
Merrow Foods
Lindqvale Timber
Saltmere Works
"""),
    roles=(
        ("chief executive", "managing director", "group president", "founder"),
        ("finance director", "plant manager", "head of sales", "works engineer"),
        ("analyst", "union secretary", "shareholder", "trade economist"),
    ),
    fixed={
        "product": lines("""
heat pumps
sail winches
hearing aids
cargo bicycles
brewing kettles
ship propellers
garden tools
wool blankets
optical lenses
grain dryers
folding boats
tram doors
paper machines
oat biscuits
"""),
    },
    free={
        "market": lines("""
the northern provinces
Eldany
the island states
Sorrenia
the Upper Valleys
overseas markets
Kelland
the capital
Vostrand
"""),
        "bank": lines("""
Fenwright Bank
the Mariners' Savings Bank
Aldous & Crane
the Central Bank of Arvonia
Greyfriars Capital
"""),
    },
)
