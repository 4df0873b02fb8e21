"""Executes a notebook in place, going on after a cell that fails: execute.py NOTEBOOK KERNEL_NAME.

Since Deno 2.8.2 its kernel may say that it is idle before the outputs of a cell are out, which jupyter nbconvert and
papermill then lose; and outputs that come out after the next cell has begun bear that cell's id. Outputs leave the kernel
in the order in which they were made. So each cell is followed by a fence, a cell that prints a mark: whatever comes before
the mark belongs to the cell, and no cell begins before the mark of the one before it.
"""

import json
import queue
import random
import socket
import sys
import time

from jupyter_client.manager import KernelManager

CELL_TIMEOUT_SECONDS = 240
START_TIMEOUT_SECONDS = 60
READY_TIMEOUT_SECONDS = 20
START_ATTEMPTS = 3
FENCE = "── end of the cell ──"
# Below the ports that systems hand out for outgoing connections: until the kernel listens, any program may be given one of those.
PORTS = range(10_000, 16_000)
CHANNELS = ("shell", "iopub", "stdin", "control", "hb")


def output_of(kind, content):
    """A message of the kernel as an output of the notebook format, or None when it is not an output."""
    if kind == "stream":
        return {"output_type": kind, "name": content["name"], "text": content["text"]}
    if kind in ("execute_result", "display_data"):
        shown = {"output_type": kind, "data": content["data"], "metadata": content.get("metadata", {})}
        return shown if kind == "display_data" else {**shown, "execution_count": content["execution_count"]}
    if kind == "error":
        return {"output_type": kind, **{key: content[key] for key in ("ename", "evalue", "traceback")}}
    return None


class Listener:
    """Runs cells one by one and collects what the kernel publishes for each."""

    def __init__(self, client):
        self.client = client
        self.displays = {}

    def run(self, cell):
        source = "".join(cell["source"])
        self.cell = cell
        request = self.client.execute(source, stop_on_error=False)
        reply = self.reply_to(request, source)
        cell["execution_count"] = reply.get("execution_count")
        self.pass_fence(source)
        if reply["status"] == "error" and all(output["output_type"] != "error" for output in cell["outputs"]):
            # tslab prints what went wrong.
            text = "".join(output["text"] for output in cell["outputs"] if output["output_type"] == "stream")
            cell["outputs"].append({"output_type": "error", "ename": "Error", "evalue": text, "traceback": []})

    def pass_fence(self, source):
        deadline = time.monotonic() + CELL_TIMEOUT_SECONDS
        while time.monotonic() < deadline:
            fence = self.client.execute(f"console.log({json.dumps(FENCE)})", store_history=False)
            # After a failure, tslab refuses what follows for a moment.
            if self.reply_to(fence, source)["status"] == "ok":
                return self.collect_to_fence(source)
            time.sleep(0.1)
        sys.exit(f"the kernel refuses what follows this cell:\n{source}")

    def collect_to_fence(self, source):
        for message in self.messages(self.client.get_iopub_msg, source):
            kind, content = message["msg_type"], message["content"]
            if kind == "stream" and FENCE in content["text"]:
                before = content["text"].partition(FENCE)[0]
                if before:
                    self.add({"output_type": "stream", "name": content["name"], "text": before}, content)
                return
            if kind == "update_display_data":
                self.displays[content["transient"]["display_id"]]["data"] = content["data"]
            else:
                self.add(output_of(kind, content), content)

    def add(self, output, content):
        if output is None:
            return
        if "display_id" in content.get("transient", {}):
            self.displays[content["transient"]["display_id"]] = output
        outputs = self.cell["outputs"]
        last = outputs[-1] if outputs else None
        if last and output["output_type"] == "stream" and last.get("name") == output["name"]:
            last["text"] += output["text"]
        else:
            outputs.append(output)

    def reply_to(self, request, source):
        for reply in self.messages(self.client.get_shell_msg, source):
            if reply["parent_header"].get("msg_id") == request:
                return reply["content"]

    def messages(self, receive, source):
        """What the kernel sends; ends this program when the kernel dies, or the cell takes too long."""
        deadline = time.monotonic() + CELL_TIMEOUT_SECONDS
        while True:
            try:
                yield receive(timeout=1)
            except queue.Empty:
                if not self.client.is_alive():
                    sys.exit(f"the kernel died in this cell:\n{source}")
                if time.monotonic() > deadline:
                    sys.exit(f"this cell took over {CELL_TIMEOUT_SECONDS} s:\n{source}")


def is_free(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def await_listening(manager, ports):
    """Returns when the kernel listens at all of its ports.

    A request that reaches tslab while it opens its sockets fails with EBUSY, and tslab answers none after that.
    """
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while any(is_free(port) for port in ports.values()):
        if not manager.is_alive():
            raise RuntimeError("the kernel died as it started")
        if time.monotonic() > deadline:
            raise RuntimeError(f"the kernel did not listen within {START_TIMEOUT_SECONDS} s")
        time.sleep(0.05)


def try_to_start_kernel(name):
    free = filter(is_free, random.sample(PORTS, len(PORTS)))
    ports = {f"{channel}_port": next(free) for channel in CHANNELS}
    manager = KernelManager(kernel_name=name, cache_ports=False, **ports)
    manager.start_kernel()
    client = manager.client()
    try:
        await_listening(manager, ports)
        client.start_channels()
        client.wait_for_ready(timeout=READY_TIMEOUT_SECONDS)
    except RuntimeError:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        raise
    return manager, client


def start_kernel(name):
    for _ in range(START_ATTEMPTS - 1):
        try:
            return try_to_start_kernel(name)
        except RuntimeError as error:
            print(f"{name}: {error}; starting it again", file=sys.stderr)
    return try_to_start_kernel(name)


def main(path, kernel_name):
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    manager, client = start_kernel(kernel_name)
    try:
        listener = Listener(client)
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code" and "".join(cell["source"]).strip():
                cell["outputs"] = []
                listener.run(cell)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(notebook, file, ensure_ascii=False, indent=1)
        file.write("\n")


main(*sys.argv[1:])
