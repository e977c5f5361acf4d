"""The laboratory: what measures and trains newsclean, and is never imported by it."""

#: The commands of the laboratory and of the demo: what each does, and its module.
COMMANDS = {
    "demo": (
        "crawl a small news world on this machine and show the result",
        "newsclean.demo.command",
    ),
    "evaluate": (
        "measure methods and other tools against gold texts",
        "newsclean.lab.evaluate_command",
    ),
    "train": (
        "train newsclean's models on a corpus",
        "newsclean.lab.train_command",
    ),
}
