"""Sport: matches, clubs and races."""

from newsclean.demo.topics.topic import Topic, angles, lines

SPORT = Topic(
    angles=angles("""
{org} [beat|edge past|overcome] {rival} {score} in {place}
A late goal decides a game that the visitors had controlled for an hour.
{org} won {score} against {rival} in {place} on {weekday}, in front of {big}
    [spectators|supporters]. The decisive goal fell {n} minutes before the end.
{lead} [leaves|signs for|returns to] {org} before the derby with {rival}
The decision comes at a moment when the club can least afford unrest.
Three days before the derby with {rival}, {org} has confirmed what half of {place} already knew
    about {lead}. The contract [runs|had run] for {span} and is said to be worth {money}.
{org} [lose again|slip further] as {rival} win {score}
The home side have not won since autumn, and the crowd is losing its patience.
The crisis of {org} goes on. A {score} defeat against {rival} on {weekday} left the team from
    {place} in the lowest position for {span}.
Youth team from {place} [stuns|surprises] {rival}
Nobody had expected the teenagers to get past the first round, let alone to win the trophy.
The youngest team in the tournament has won it. The juniors of {org} beat {rival} {score} in
    {town}, and {place} [celebrated|sang] until the early morning.
{nth} coastal race [draws|attracts] {big} runners to {place}
Rain, wind and a record: the oldest race in the region had everything this year.
In heavy rain, {big} runners took part in the coastal race from {town} to {place}. The winner, a
    nurse from {town}, beat the record by {n} seconds.
New ground for {org}: {place} [waits|hopes] for {money}
The wooden stand has to go, and the club must say by summer how it will pay for a new one.
{org} wants to leave the wooden stand that has been its home for generations. A new ground at
    the edge of {place} would cost {money}, and the club has found [about half|two thirds] of
    it.
"""),
    details=lines("""
The first half hour belonged to {rival}, who hit the post {n} minutes after kick-off.
{player} opened the scoring with a header, after a corner that should not have been given.
Before the break, {player} missed two chances from less than {n} metres.
The equaliser came out of nothing, from a free kick that {player} bent around the wall.
With {n} minutes left, the referee sent off {player} for a second foul.
It was the first win in {town} for {span}.
The defence, rebuilt in {month}, allowed only {n} shots on goal.
{player} has now scored in {n} games in a row, a club record.
On the bench sat {n} players who had not even been born at the time of the last title.
The pitch, soaked after a week of rain, made every pass a gamble.
About {big} fans had travelled from {town}, in buses, cars and one old fishing boat.
In the table, the club climbed past {town} and now stands within {n} points of the top.
{player} went off with a knee injury and will be out until {month}.
Ticket sales have risen by {pct} since the start of the season.
The goalkeeper saved a penalty for the third time this {month}.
After the break, the hosts pressed higher and won {pct} of the tackles.
Television pictures showed that the ball had crossed the line by {n} centimetres.
The coach changed the system {n} times and was right each time.
A scout from {town} had noticed {player} on a school playground {span} ago.
The club has {big} members, and a good part of them seemed to be on the pitch after the final
    whistle.
Training starts at six in the morning, because half of the squad works at the docks.
The debt of {money} will be paid off in {month} if attendance stays as high.
Last season the same fixture ended after {n} minutes, when fog rolled in from the bay.
{player} ran {n} kilometres, more than anyone else on the field.
The prize money of {big} crowns goes to the sea rescue station in {town}.
Conditions were worst on the climb above {town}, where gusts pushed several athletes off the
    path.
The youngest starter was twelve, and the oldest had run his first race {span} before that.
Fans sang the old harbour song {n} times and kept a minute's silence for a former groundsman.
The league will examine the events in the south stand before the next round in {month}.
A draw would have been fair, given that {rival} had the ball for {pct} of the time.
"""),
    voices=lines("""
“We ran more, we fought more, and we were lucky,” said {lead} after the game in {place}.
“You cannot defend for {n} minutes and hope,” {critic} [complained|said].
{second} blamed the wind, the ball and, finally, {player}.
“The boys deserve {n} days off, but they get one,” {lead} joked.
“I saw the ball late, and then I did not see it at all,” said {second}.
“This club has survived worse than {rival},” {lead} said.
{critic} asked for patience until {month}, and received a few whistles.
“When {player} has the ball, my heart rate goes up by {pct},” said {second}.
“For the people in {place} this means more than {money},” {critic} said.
{lead} would not talk about the title: “There are {n} games to go.”
"""),
    statements=lines("""
I played in {town} for {span} and never heard a crowd like this one. My ears will ring until
    {month}.
We do not have the money of {rival}. We have {n} people who would run through a wall for each
    other.
Anyone can win on a dry pitch in {month}. Show me who still smiles in the mud on a cold
    {weekday}.
A stand is only wood. But {big} people learned in that stand how to hope and how to swear.
If {player} stays fit, then we do not need to fear {town} or anybody else.
"""),
    subheadings=lines("""
A header from {player}
{n} minutes of pressure
{player} sees red
The long way to {town}
Waiting for {month}
The bench makes the difference against {rival}
{big} in the rain
An old score with {rival}
What {lead} changed
No luck for {player}
Next stop {town}
"""),
    list_intros=lines("""
Moments from {place} that people will talk about until {month}:
The next games of {org} after the {weekday} in {place}:
What the team of {lead} has to do better before it travels to {town}:
"""),
    list_items=lines("""
~Minute {n}:~ {player} hits the bar with a volley
away in {town} on the second {weekday} of {month}
fewer fouls near the box, after {n} of them in one half
~Minute {n}:~ the flag goes up, and {player} celebrates for nothing
at home against {rival}, with {big} tickets already sold
the cup tie in {town}, where the club has not won for {span}
a save by the goalkeeper from {n} metres, with one hand
quicker passes out of defence than in {town}
~Injuries:~ {player} is back in {month} at the earliest
a friendly in {town} to mark {span} of partnership
better use of corners, as only {pct} of them led to a shot
~Fans:~ a special train to {town} for {n} crowns
"""),
    captions=lines("""
{player} after the goal for {org} in {place}
The wooden stand in {place} on {weekday}
Supporters of {rival} on their way through {town}
{lead} gives instructions from the touchline in {place}
Runners on the climb above {town}
The juniors of {org} with the trophy in {month}
"""),
    table_head=(
        "Team, table of {n} {month}",
        "Goals in {n} games since {month}",
        "Crowd, without {town} in {month}",
    ),
    table_row=("{town} {suffix}, {n} points", "{n} scored, {n} conceded", "{big} a game"),
    organisations=lines("""
Velmouth Rovers
Harbour Athletic
Oldbridge Town
Ostrey Wanderers
Quillhaven United
Saltmere Albion
Dunfallow County
Eastmarch Rangers
"""),
    roles=(
        ("head coach", "captain", "sporting director", "player-coach"),
        ("goalkeeper", "assistant coach", "midfielder", "team doctor"),
        ("visiting coach", "former captain", "supporters' club chair", "league secretary"),
    ),
    fixed={
        "rival": lines("""
Brackwater Harriers
Corrin Bay
Merrowford City
Lanmoor Victoria
Thistlewick
Kestrel Point
Tarn Hollow Dynamos
Pennard Cross
"""),
        "score": ("1-0", "2-1", "3-2", "4-1", "2-0", "3-0", "4-3", "3-1"),
    },
    free={
        "player": lines("""
Emrin Castell
Jory Vane
Tobin Askerly
Dario Fenn
Luka Marrish
Kit Oranmore
Samir Dell
Bram Ostler
Ewan Tallis
Nico Harrowby
Rafe Underhill
Idris Colm
"""),
        "suffix": ("Rovers", "Athletic", "Town", "Wanderers", "United", "Albion", "Rangers"),
    },
)
