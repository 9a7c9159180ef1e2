"""Certificates of exact scores are made and verified, also on Ray. Damaged and false ones are refused."""

from __future__ import annotations

import pickle
import subprocess
import sys
import zlib

import pytest
from conftest import ROOT

import outflank


def test_certificates_prove_the_scores_of_ffo(ffo, tmp_path):
    engine = outflank.Engine(hash_mib=16)
    for problem in ffo[:6]:
        best = max(problem.scores.values()) if isinstance(problem.scores, dict) else max(s for _, s in problem.scores)
        sizes = []
        for leaf_empties in (12, 8, 4):
            certificate = engine.certify(problem.board, leaf_empties=leaf_empties)
            claims = outflank.verify(certificate)
            assert [(claim.at_least, claim.score, claim.board) for claim in claims] == [
                (True, best, problem.board),
                (False, best, problem.board),
            ]
            assert all(claim.leaf_empties == leaf_empties and claim.leaves > 0 for claim in claims)
            assert pickle.loads(pickle.dumps(claims)) == claims and len(set(claims)) == 2
            sizes.append(len(certificate))
        assert sizes == sorted(sizes)
    # The second verifier agrees.
    path = tmp_path / "one.cert"
    path.write_bytes(certificate)
    script = ROOT / "crates" / "verifier" / "verify.py"
    run = subprocess.run([sys.executable, script, path], capture_output=True, text=True, check=True)
    assert run.stdout.startswith(f"at least {best:+} for ") and run.stdout.count("\n") == 2


def test_bad_certificates_are_refused(ffo):
    certificate = outflank.Engine(hash_mib=16).certify(ffo[0].board, leaf_empties=4)
    magic = len(b"othello certificate 1\n")
    for bad, reason in (
        (b"", "no certificate"),
        (b"x" * 100, "no certificate"),
        (certificate[:-1], "cut off"),
        (certificate[:30], "cut off"),
        (certificate[:100] + bytes([certificate[100] ^ 1]) + certificate[101:], "checksum"),
    ):
        with pytest.raises(outflank.CertificateError, match=reason):
            outflank.verify(bad)
    # A better score, with the right checksum.
    length = int.from_bytes(certificate[magic + 28 : magic + 36], "little")
    forged = bytearray(certificate[: magic + 36 + length])
    forged[magic + 17] += 2
    forged += zlib.crc32(forged[magic:]).to_bytes(4, "little")
    with pytest.raises(outflank.CertificateError, match="no proof: .* [XO-]{64} X"):
        outflank.verify(bytes(forged))
    assert outflank.verify(b"othello certificate 1\n") == []
    with pytest.raises(outflank.EngineError, match="stopped"):
        outflank.Engine(hash_mib=16).certify(outflank.Board(), time=0.1)
    assert issubclass(outflank.CertificateError, (outflank.OutflankError, ValueError))


def test_ray_solves_with_certificates_and_verifies_them(cluster, tmp_path, some, scores, capsys):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    from parquet_files import read, write

    from outflank.ray import solve, verify
    from outflank.ray.__main__ import main

    boards = some[:60].copy()
    boards[7] = [3, 1]
    source = write(tmp_path / "in.parquet", boards)
    solved, verified = tmp_path / "solved", tmp_path / "verified"
    arguments = ["--workers", "2", "--quiet"]
    assert main(["solve", source, str(solved), "--certificates", "--leaf-empties", "6", *arguments]) == 0
    table = read(solved)
    certificates = table.column("certificate").to_pylist()
    assert certificates[7] is None and all(row == 7 or one for row, one in enumerate(certificates))
    assert main(["verify", str(solved), str(verified), *arguments]) == 1
    assert "(59 verified, 1 refused)" in capsys.readouterr().out
    answers = read(verified)
    assert "certificate" not in answers.column_names
    expected = scores[:60].tolist()
    expected[7] = None
    assert answers.column("score").to_pylist() == expected
    assert answers.column("verified").to_pylist() == [row != 7 for row in range(60)]
    assert answers.column("error")[7].as_py().endswith("both sides hold A1")

    # Another score, the certificate of another row, a damaged one, none.
    rows = table.to_pydict()
    rows["score"][1] += 2
    rows["certificate"][2] = rows["certificate"][3]
    rows["certificate"][4] = rows["certificate"][4][:-3]
    rows["certificate"][5] = None
    types = {name: table.schema.field(name).type for name in ("board", "certificate")}
    forged = pa.table({name: pa.array(values, types.get(name)) for name, values in rows.items()})
    pq.write_table(forged, tmp_path / "forged.parquet")
    report = verify(str(tmp_path / "forged.parquet"), str(tmp_path / "refused"), workers=1)
    assert (report.positions, report.solved, report.invalid) == (60, 55, 5)
    errors = read(tmp_path / "refused").column("error").to_pylist()
    for row, reason in ((1, "but the certificate proves"), (2, "-64 to +64"), (4, "cut off"), (5, "no certificate")):
        assert reason in errors[row]
    assert sum(one is not None for one in errors) == 5
    # A second run has nothing to do; a job of another kind is refused.
    again = verify(str(tmp_path / "forged.parquet"), str(tmp_path / "refused"), workers=1)
    assert (again.positions, again.done_before) == (0, 60)
    assert main(["verify", source, str(tmp_path / "none"), *arguments]) == 1
    assert "no column 'score'" in capsys.readouterr().err
    with pytest.raises(outflank.FormatError, match="begun by a job with other certificates"):
        solve(source, str(solved), workers=1)
    with pytest.raises(ValueError, match="certificates: expected 0 to 14, got 15"):
        solve(source, str(tmp_path / "none"), certificates=15)
