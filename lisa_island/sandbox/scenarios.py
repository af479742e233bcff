"""The table of agents: those that behave, as a newcomer meets them in the demo, then the faulty ones."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from . import faults, framing, hostile
from .shapes import answer, artifact, status, task
from .steps import Agent, Call, Gate, Pause, Step

QUESTION = "Which quarter should the report cover, and in which currency?"
SIGN_IN = (
    "Please sign in at the document store so I can read the contract.\n"
    "https://docs.example.com/oauth/start?c=71"
)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "June", "July", "Aug", "Sept", "Oct", "Nov", "Dec")


NOTES = "# Notes\n\n- March holds one invoice twice.\n- May is complete.\n"
PROSE = "Three vendors hold most of the market. Prices rose by four per cent. The rest is noise.\n"


def sheet_wizard(call: Call) -> Iterator[Step]:
    """Free, streams, two artifacts: the good case."""
    yield task(call)
    yield Pause(1)
    yield status(call, "working", "Reading 3 sheets")
    yield Pause(2)
    yield status(call, "working", "Adding up 214 invoices")
    yield Pause(2)
    yield artifact(call, "totals", "totals.csv", _totals(MONTHS[:6]), last=False)
    yield Pause(1)
    yield artifact(call, "totals", "totals.csv", _totals(MONTHS[6:]), append=True)
    yield Pause(1)
    yield status(call, "working", "Checking the two months that do not add up")
    yield Pause(1.5)
    yield artifact(call, "notes", "notes.md", NOTES)
    yield Pause(0.5)
    yield status(call, "completed", "Totals are ready: 12 months, one duplicate in March.", final=True)


def acme_research(call: Call) -> Iterator[Step]:
    """0.02 USD a call; asks once, then delivers."""
    if call.resumed:
        yield task(call, "working")
        yield Pause(1.5)
        yield artifact(call, "report", "market-scan.md", f"# Scan\n\nScope: {call.text[:400]}\n\n{PROSE}")
        yield status(call, "completed", "The market scan is ready.", final=True)
        return
    yield task(call)
    yield Pause(0.8)
    yield status(call, "working", "Looking at what is public")
    yield Pause(1.2)
    yield status(call, "input-required", QUESTION)


def legal_lens(call: Call) -> Iterator[Step]:
    """Needs a sign-in at a third place; the address stands in the text."""
    if call.resumed:
        yield task(call, "working")
        yield Pause(1)
        yield artifact(
            call, "review", "contract-review.md", "Clause 7 renews itself. Clause 12 has no end.\n"
        )
        yield status(call, "completed", "The contract is read: two clauses need a look.", final=True)
        return
    yield task(call)
    yield Pause(1)
    yield status(call, "auth-required", SIGN_IN)


def slow_report(call: Call) -> Iterator[Step]:
    """Many updates over a minute and a half."""
    yield task(call)
    for number, month in enumerate(MONTHS * 3, 1):
        yield Pause(2.5)
        yield status(call, "working", f"Page {number} of {len(MONTHS) * 3}: {month}")
    yield artifact(call, "report", "yearly-report.md", PROSE)
    yield status(call, "completed", "The yearly report is written.", final=True)


def tone_check(call: Call) -> Iterator[Step]:
    """Answers with a plain message; there is no task."""
    yield Pause(0.6)
    yield answer(call, f"{len(call.text.split())} words, friendly and clear. I would send it as it is.")


def flaky_build(call: Call) -> Iterator[Step]:
    yield task(call)
    yield Pause(1)
    yield status(call, "working", "Building 14 targets")
    yield Pause(2.5)
    yield artifact(call, "log", "build.log", "cc -c ring.c\nring.c:41: error: 'TAIL' undeclared\n")
    yield status(call, "failed", "make: exit code 2 in ring.c", final=True)


def reject_me(call: Call) -> Iterator[Step]:
    yield task(call)
    yield Pause(0.5)
    yield status(call, "rejected", "This agent takes no orders on Sundays.", final=True)


def canceled(call: Call) -> Iterator[Step]:
    yield task(call)
    yield Pause(0.5)
    yield status(call, "working", "Starting")
    yield Pause(1)
    yield status(call, "canceled", "The operator withdrew the task.", final=True)


def step_by_step(call: Call) -> Iterator[Step]:
    """Waits at its own gate before each step, so that a test decides when things happen."""
    yield task(call)
    yield Gate()
    yield status(call, "working", "Answered" if call.resumed else "First step")
    yield Gate()
    if not call.resumed:
        yield status(call, "input-required", "Go on?")
        return
    yield artifact(call, "out", "result.txt", call.text)
    yield status(call, "completed", "Done", final=True)


def plain_task(call: Call) -> Iterator[Step]:
    yield task(call)
    yield Pause(1)
    yield status(call, "completed", "Done", final=True)


def filler(count: int) -> list[Agent]:
    """`count` hosted agents that nobody called."""
    return [
        Agent(f"clerk-{n:03}", f"Clerk {n:03}", "Takes small jobs.", plain_task, category="office")
        for n in range(1, count + 1)
    ]


def relayed(slug: str) -> Agent:
    """The row of an agent that a real server plays; its scenario is never read."""
    return Agent(slug, slug, "A real A2A server.", plain_task, category="relay", featured=True)


def _totals(months: tuple[str, ...]) -> str:
    rows = [f"{month},{ord(month[1]) * 371 + 480}.{ord(month[2]) % 100:02}\n" for month in months]
    return "".join((["month,total_eur\n"] if months[0] == "Jan" else []) + rows)


_FRIENDLY = [
    Agent(
        "sheet-wizard",
        "Sheet Wizard",
        "Adds up spreadsheets and finds what does not fit.",
        sheet_wizard,
        category="office",
        skills=("Totals", "Duplicates"),
        featured=True,
    ),
    Agent(
        "acme-research",
        "Acme Research",
        "Market scans from public sources. Asks before it guesses.",
        acme_research,
        category="research",
        price=Decimal("0.02"),
        skills=("Market scan",),
        featured=True,
    ),
    Agent(
        "legal-lens",
        "Legal Lens",
        "Reads contracts in your document store.",
        legal_lens,
        category="research",
        price=Decimal("0.05"),
        skills=("Contract review",),
        featured=True,
    ),
    Agent("slow-report", "Slow Report", "Writes the long report, page by page.", slow_report, "office"),
    Agent("tone-check", "Tone Check", "Says how a text sounds.", tone_check, "office", streams=False),
    Agent("flaky-build", "Flaky Build", "Builds your branch, sometimes.", flaky_build, "code"),
    Agent("reject-me", "Sunday Rest", "Takes no orders on Sundays.", reject_me, "office"),
    Agent("canceled", "Second Thoughts", "Withdraws what it began.", canceled, "office"),
    Agent("step-by-step", "Step by Step", "Moves only when it is told to.", step_by_step),
]

_PROJECTS = [
    Agent("project-only", "Paper Boat", "Open source.", plain_task, "code", hosted=False, stars=4100),
    Agent("tin-robot", "Tin Robot", "Open source too.", plain_task, "code", hosted=False, stars=90),
]

AGENTS: list[Agent] = [*_FRIENDLY, *hostile.AGENTS, *faults.AGENTS, *framing.AGENTS, *_PROJECTS]
