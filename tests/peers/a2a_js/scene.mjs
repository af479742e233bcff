// What the agent does: the same as lab/script.py, which says it in words.

const SIGN_IN = "https://sign-in.example/device?code=AB12";

export const text = (value) => ({ content: { $case: "text", value }, filename: "", mediaType: "", metadata: undefined });
const data = (value) => ({ content: { $case: "data", value }, filename: "", mediaType: "", metadata: undefined });
const file = (filename, mediaType, value) => ({ content: { $case: "raw", value }, filename, mediaType, metadata: undefined });
const link = (value, mediaType) => ({ content: { $case: "url", value }, filename: "", mediaType, metadata: undefined });

export class Gates {
  #waiting = new Set();

  /** A queue of the lines told from now on; close() when done. */
  open() {
    const lines = [];
    let wake = null;
    const hear = (line) => {
      lines.push(line);
      wake?.();
    };
    this.#waiting.add(hear);
    return {
      next: async () => {
        while (!lines.length) await new Promise((resolve) => (wake = resolve));
        return lines.shift();
      },
      close: () => this.#waiting.delete(hear),
    };
  }

  tell(line) {
    for (const hear of [...this.#waiting]) hear(line);
  }
}

const mix = (stage) => stage.status("WORKING", text("Mixing paint"));

export function paint(stage, colour) {
  stage.artifact("wall", "wall.txt", [text(`A wall in ${colour}`)]);
  stage.status("COMPLETED", text("Painted"));
}

async function slow(stage, gates) {
  const lines = gates.open();
  try {
    let hasNotes = false;
    mix(stage);
    for (let told = await lines.next(); told !== "go"; told = await lines.next()) {
      if (stage.isOver) return;
      const [kind, ...rest] = told.split(" ");
      if (kind === "chunk") {
        stage.artifact("notes", "notes.txt", [text(rest.join(" "))], hasNotes, false);
        hasNotes = true;
      } else {
        stage.status("WORKING", text(rest.join(" ")));
      }
    }
  } finally {
    lines.close();
  }
  if (!stage.isOver) paint(stage, "grey");
}

const SCENES = {
  ask: (stage) => {
    mix(stage);
    stage.status("INPUT_REQUIRED", text("Which colour?"));
  },
  options: (stage) => {
    mix(stage);
    stage.status("INPUT_REQUIRED", text("Which colour?"), data({ options: ["green", "blue"] }));
  },
  slow,
  cancelme: slow,
  auth: async (stage, gates) => {
    const lines = gates.open();
    stage.status("AUTH_REQUIRED", text(`Sign in at ${SIGN_IN}`));
    while ((await lines.next()) !== "go");
    lines.close();
    mix(stage);
    paint(stage, "grey");
  },
  artifacts: (stage) => {
    mix(stage);
    stage.artifact("letter", "letter.txt", [text("Hel")], false, false);
    stage.artifact("letter", "letter.txt", [text("lo")], true);
    stage.artifact("numbers", "numbers.json", [data({ walls: 3, colours: ["green", null] })]);
    const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(64)]);
    stage.artifact("sample", "sample.png", [file("sample.png", "image/png", png)]);
    stage.artifact("plan", "plan.pdf", [link("https://files.example/plan.pdf", "application/pdf")]);
    stage.status("COMPLETED", text("Painted"));
  },
  big: (stage) => {
    mix(stage);
    stage.artifact("big", "big.txt", [text("x".repeat(6_000_000))]);
    stage.status("COMPLETED", text("Painted"));
  },
  stall: mix,
  crash: (stage) => {
    mix(stage);
    throw new Error("the bucket fell over");
  },
  fail: (stage) => {
    mix(stage);
    stage.status("FAILED", text("No paint left"));
  },
  reject: (stage) => stage.status("REJECTED", text("This wall is not ours")),
};

/** One call of the agent. `told` when the message belongs to a task that is there already. */
export async function play(stage, gates, words, told) {
  const word = words.trim().split(/\s+/)[0].toLowerCase();
  if (!told && word === "message") return stage.say("Grey goes with everything");
  stage.open();
  if (told) {
    mix(stage);
    return paint(stage, words);
  }
  return (SCENES[word] ?? SCENES.ask)(stage, gates);
}
