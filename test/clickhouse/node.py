"""Runs ClickHouse's command line out of libchdb: node.py LIBCHDB ARGUMENT... It ends when its standard input does."""
import ctypes
import os
import sys
import threading


def end_with_parent():
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), 9)


threading.Thread(target=end_with_parent, daemon=True).start()
run = ctypes.CDLL(sys.argv[1]).chdb_query_cmdline
arguments = [b"clickhouse"] + [argument.encode() for argument in sys.argv[2:]]
run.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]
run(len(arguments), (ctypes.c_char_p * (len(arguments) + 1))(*arguments, None))
