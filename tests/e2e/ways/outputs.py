"""The run was whole, but what it found cannot be laid to a line or handed on."""

import os
import shutil

from world import way


@way("output-disk-full")
def output_disk_full(case):
    return case.run("./program", "clean", options=["-o", "json:/dev/full"])


@way("output-no-directory")
def output_no_directory(case):
    return case.run("./program", "clean", options=["-o", "sarif:missing/out.sarif"])


@way("standard-output-full")
def standard_output_full(case):
    return case.run_in("exec 3>&2 > /dev/full", "./program", "clean")


@way("standard-output-closed")
def standard_output_closed(case):
    return case.run_in("exec >&-", "./program", "clean")


def rebuild(case, *sources):
    """The program from sources of other names, as if it had been built in /build."""
    case.git("rm", "--quiet", "program.c")
    for source in sources:
        os.makedirs(case.path(os.path.dirname(source)), exist_ok=True)
        shutil.copy(os.path.join(case.world.origin, "program.c"), case.path(source))
    case.git("add", *sources)
    case.do("cc", "-g", "-pthread", f"-ffile-prefix-map={sources[0]}=/build/program.c", "-o",
            "program", sources[0], expect=0)


@way("unmapped-sources")
def unmapped_sources(case):
    """Two tracked files have the name of the one that was built, and no path says which it is."""
    rebuild(case, "new/program.c", "old/program.c")
    return case.run("./program", "error")


@way("no-repository")
def no_repository(case):
    shutil.rmtree(case.path(".git"))
    return case.run("./program", "clean")


@way("repository-without-files")
def repository_without_files(case):
    shutil.rmtree(case.path(".git"))
    case.git("init", "--quiet", "--template=", ".")
    return case.run("./program", "error")


@way("no-suppressions-to-read")
def no_suppressions_to_read(case):
    return case.run("./program", "clean", options=["--suppressions", "missing.supp"])


@way("config-spoilt")
def config_spoilt(case):
    case.write("grindgate.json", "{")
    return case.run("./program", "clean")
