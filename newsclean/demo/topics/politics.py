"""Politics: councils, bills and votes."""

from newsclean.demo.topics.topic import Topic, angles, lines

POLITICS = Topic(
    angles=angles("""
{place} council [backs|approves|votes for] {plan} after {n}-hour debate
Councillors in {place} have passed {plan} by a narrow margin, and its opponents want the vote
    repeated.
Councillors in {place} voted late on {weekday} for {plan}, ending a debate that had
    [divided|occupied|worn down] the chamber for {span}. {lead} called the result clear,
    although only {n} votes separated the two sides.
{lead} [faces questions|comes under pressure] over {plan} in {place}
Papers released this week raise doubts about how the cost of {plan} was worked out.
Newly released papers have put {lead} under pressure over {plan}, which was [supposed|meant] to
    cost {money} and may now need nearly twice as much. The documents were handed to councillors
    in {place} on {weekday}.
Petition against {plan} [gathers|collects|reaches] {big} names in {place}
Residents of {place} want a public vote on {plan}, and they may have found enough support to
    force one.
More than {big} people in {place} have signed a petition against {plan}, according to the
    organisers, who delivered the boxes to the town hall on {weekday}. It took them {span} to
    collect the names.
{org}: {plan} [must wait|is not ready|needs more work]
An official review asks {place} to slow down and to publish the figures behind its flagship
    project.
In a report of {big} words, {org} has advised {place} to postpone {plan} until the figures
    behind it have been [checked|published|explained]. The reviewers spent {span} with the
    accounts.
What {place} [wants from|expects of] the talks on {plan}
Delegates meet on neutral ground to settle who pays for the project and who decides about it.
Talks about {plan} begin in {town} on {weekday}, and the delegation from {place} arrives with a
    short list of demands. At the top of it stands a fixed share of the {money} that the
    government has set aside.
By-election in {place} [turns on|becomes a test for] {plan}
A single empty seat has turned a quiet ward into the most watched place in the region.
A by-election in {ward} has become a test for {plan}, [only|just] {span} after the project was
    announced. Four candidates are standing, and three of them have made it the first line of
    their leaflets.
"""),
    details=lines("""
The [vote|count|decision] came shortly before midnight, when most of the {n} visitors in the
    gallery had already gone home.
Under the current wording, {plan} would take effect in {month} and be reviewed after {span}.
The treasurer puts the yearly cost at {money}, of which about {pct} would come from reserves.
In {ward}, where turnout was highest, {pct} of voters told pollsters that they had not been
    asked for their views.
A committee of {n} members will now go through the text line by line before it returns to the
    full chamber.
Two amendments from the benches of {party} failed, the second of them by only {n} votes.
The [coalition|alliance] led by {party} holds a majority of three, and it cannot afford many
    absences.
According to the minutes, {org} was first consulted in {month}, long after the contracts had
    been drafted.
The neighbouring town of {town} tried something similar and gave it up after {span}.
Opponents point to {town}, where a comparable scheme ran {pct} over its budget.
Supporters answer that doing nothing would cost {money} by the end of the decade.
The ministry has promised to match every crown that {place} spends, up to {money}.
Officials counted {big} written objections, most of them from {ward}.
A compromise worked out by {second} would exempt households with an income below {big} crowns.
The legal service of {org} warned in {month} that the deadline for appeals was too short.
For {party}, the affair comes at an awkward moment, as the party chooses a new chair in {month}.
Members of {party} left the room before the final reading and did not return.
No date has been set for the second reading, but clerks expect it before the end of {month}.
The draft runs to {n} pages, and the part that matters most is hidden in an annex.
An independent auditor found that {pct} of the invoices lacked a second signature.
Residents of {ward} have hung banners from their balconies, and a few shopkeepers have joined
    them.
During question time, the chamber heard that {big} letters had gone unanswered since {month}.
The mayor's office [denied|rejected] that {plan} had been agreed in private with {org}.
Both sides agree on one point: the old rules, written {span} ago, no longer fit.
A public hearing in {ward} drew {big} people, so many that the doors had to be closed.
If the appeal succeeds, the whole procedure would have to start again in {month}.
The finance committee asked for a ceiling of {money} and was given a promise instead.
Turnout in {town} at the last local poll was {pct}, the lowest since records began.
Unlike its predecessor, the new text names one office that is responsible for {plan} from start
    to finish.
The opposition has asked {org} to publish every contract worth more than {big} crowns.
"""),
    voices=lines("""
“We have talked about {plan} for {span}, and people are tired of talk,” {lead} [said|told the
    chamber].
“Nobody in {ward} was asked, and that is the real scandal,” said {critic}.
{second} [said|argued] that the numbers had been checked {n} times and had held up each time.
“A majority of {n} is a majority,” {lead} told reporters outside the town hall in {place}.
{critic} spoke of a decision “made in {month} and explained in hindsight”.
“If {town} can publish its contracts, then so can we,” {critic} said.
“I would rather lose a vote than hide a bill of {money},” said {second}.
Asked whether the coalition would last beyond {month}, {lead} smiled and [said nothing|changed
    the subject].
“The annex is where the money is, so read the annex,” {second} [advised|told] colleagues from
    {party}.
{lead} promised that no household in {ward} would pay more than {n} crowns a month.
"""),
    statements=lines("""
We were elected to decide, and on {weekday} we decided. Anyone who dislikes {plan} can vote us
    out in {month}.
The people of {ward} do not ask for miracles. They ask for {n} honest answers and a bus that
    comes on time.
A town that spends {money} without reading the contract should not be surprised by the bill.
I have sat in this chamber for {span}, and I have never seen a text change so often between
    {weekday} and the vote.
There is no shame in copying {town}. The shame would be to repeat its mistakes at twice the
    price.
"""),
    subheadings=lines("""
A majority of {n}
What changes in {month}
The bill for {place}
Doubts in {ward}
How {town} did it
The numbers behind {plan}
Pressure on {party}
An appeal before {month}
Who pays the {money}
Quiet talks in {town}
The view from {ward}
"""),
    list_intros=lines("""
The main points of {plan} as it stands after the debate in {place}:
{org} asks {place} to settle the following before {month}:
The text that goes back to committee on {weekday} leaves these questions open:
"""),
    list_items=lines("""
a ceiling of {money} for all spending until {month}
~Review:~ {org} reports to the chamber every {n} weeks
households in {ward} pay nothing for the first {span}
a register of all contracts above {big} crowns, open to everyone
~Appeals:~ objections can be filed in {town} until the end of {month}
an advisory board with {n} seats, a third of them for residents of {ward}
the share that {town} contributes, at present {pct}
new offices in {ward}, to open {span} from now
~Staff:~ {n} additional posts in the planning department of {place}
a public hearing in {ward} before any work begins in {month}
the repayment of {money} to the regional fund
a vote in {town} if more than {big} people ask for it
"""),
    captions=lines("""
Councillors in {place} during the debate about {plan}
The town hall of {place}, where the vote took place on {weekday}
Banners in {ward} against {plan}
Supporters of {party} hand out leaflets near the market in {place}
The chamber in {town} before its renovation in {month}
Visitors wait for a seat at the hearing in {ward}
"""),
    table_head=(
        "Ward, poll of {n} {month}",
        "For {plan}, {n} {month}",
        "Turnout, with {town} at {pct}",
    ),
    table_row=("{ward}, district {n} of {place}", "{big} votes", "{pct} of voters"),
    organisations=lines("""
the Court of Accounts
the Regional Assembly
the Office for Municipal Reform
the Coastal Planning Board
the League of Arvonian Towns
the Electoral Commission
the Public Works Authority
"""),
    roles=(
        (
            "council leader",
            "mayor",
            "transport minister",
            "deputy prime minister",
            "first councillor",
        ),
        ("committee chair", "budget rapporteur", "senior planner", "parliamentary secretary"),
        (
            "opposition spokesman",
            "residents' advocate",
            "tenants' union chair",
            "independent member",
        ),
    ),
    fixed={
        "plan": lines("""
the tram extension
the rent cap
the harbour levy
the school merger
the flood defence bill
the night bus scheme
the land registry reform
the water tariff
the coastal parking charge
the new town hall
the hospital transfer
the cycling network
the waste contract
the open records act
the housing fund
"""),
    },
    free={
        "ward": lines("""
Northgate
Tanners' Row
the Old Docks
Sandhill
Mill Quarter
St Orlan
Lower Ferry
Kiln Street
Beacon Rise
the Garden Wards
"""),
        "party": lines("""
the Civic Alliance
the Reform Bloc
the Harbour List
the Greens of the Coast
the Labour Union
the Rural League
"""),
    },
)
