"""SKaMPI as a test of ReFrame.

Derive from skampi_benchmark, or run the test at the end:

    reframe -c reframe.py -r -S skampi_benchmark.parameter_file=network -S skampi_benchmark.num_tasks=64

A baseline is what "skampi-export --format json skampi.out" prints. Its errors are those between
launches if skampi.out is the merge of several runs: then a time is slower than the baseline only if
launches do not explain the difference. One run does not know how launches differ.
"""

import fnmatch
import json
import math
import os

import reframe as rfm
import reframe.utility.sanity as sn
import reframe.utility.typecheck as typ
from reframe.core.builtins import run_before, sanity_function, variable


def points_of(path):
    """Returns the points of a file of skampi-export by name, SUITE/ARGUMENT."""
    with open(path, encoding='utf-8') as file:
        runs = json.load(file)['runs']
    return {
        f"{suite['suite']}/{point['argument']}": point
        for run in runs
        for suite in run['suites']
        for point in suite['points']
        if point['time_us'] is not None
    }


class skampi_benchmark(rfm.RunOnlyRegressionTest):
    """Measures a parameter file; each point is a performance variable."""

    #: A parameter file: the name of one that ships with skampi, or a path.
    parameter_file = variable(str, value='quick')

    #: The points to report: SUITE/ARGUMENT, with * and ?.
    points = variable(typ.List[str], value=['*'])

    #: A file of skampi-export whose times are the references; '': none.
    baseline = variable(str, value='')

    #: The difference that matters, as a part of the time.
    threshold = variable(float, value=0.05)

    #: As many standard errors of the difference are tolerated.
    errors = variable(float, value=4.0)

    descr = 'SKaMPI: times of MPI operations with their errors'
    sourcesdir = None
    num_tasks = 2
    executable = 'skampi'
    keep_files = ['skampi.out', 'skampi.log', 'skampi.json']

    @run_before('run')
    def set_commands(self):
        self.executable_opts = ['-f', self.parameter_file, '-o', 'skampi.out', '--quiet']
        self.postrun_cmds = [
            'status=$?',
            'skampi-export --format json -o skampi.json skampi.out || status=1',
            'exit $status',
        ]

    @sanity_function
    def everything_was_measured(self):
        return sn.assert_eq(self.job.exitcode, 0)

    def tolerance(self, base, now):
        """Returns by which part of the base's time this time may be longer."""
        error_us = math.hypot(base['time_error_us'] or 0.0, now['time_error_us'] or 0.0)
        return max(self.threshold, self.errors * error_us / base['time_us'])

    @run_before('performance')
    def set_performance(self):
        measured = points_of(os.path.join(self.stagedir, 'skampi.json'))
        base = points_of(self.baseline) if self.baseline else {}
        references = {}
        for name, point in measured.items():
            if not any(fnmatch.fnmatchcase(name, pattern) for pattern in self.points):
                continue
            time_us = point['time_us']
            self.perf_variables[name] = sn.make_performance_function(sn.defer(time_us), 'us')
            if name in base:
                limit = self.tolerance(base[name], point)
                references[name] = (base[name]['time_us'], None, limit, 'us')
        if references:
            self.reference = {'*': references}


@rfm.simple_test
class skampi(skampi_benchmark):
    valid_systems = ['*']
    valid_prog_environs = ['*']
