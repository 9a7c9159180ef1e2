import ctypes
import signal
import sys

import bitwuzla

# Linux kills this process together with its parent; Ctrl-C ends it at once.
PR_SET_PDEATHSIG = 1
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
signal.signal(signal.SIGINT, signal.SIG_DFL)


def answer(text):
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    wants_values = "(get-value" in text
    for command in ("(check-sat)", "(reset)"):
        text = text.replace(command, "")
    parser.parse(text.split("(get-value")[0], True, False)
    solver = parser.bitwuzla()
    result = solver.check_sat()
    if wants_values:
        for name in parser.get_declared_funs():
            if name.sort().is_bv():
                value = solver.get_value(name).value(2)
                print(f"({name.symbol()} #b{value})")
    else:
        print(str(result).rsplit(".")[-1].lower())


if "--version" in sys.argv:
    print("bitwuzla", bitwuzla.version())
    sys.exit()
text = []
for line in sys.stdin:
    if line.startswith("(echo"):
        answer("".join(text))
        print(line.split('"')[1], flush=True)
        text = []
    else:
        text.append(line)
