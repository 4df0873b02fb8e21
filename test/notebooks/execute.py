"""Executes a notebook in place, going on after a cell that fails: execute.py NOTEBOOK KERNEL_NAME.

jupyter nbconvert stops listening to a cell as soon as the kernel says that it is idle. Deno's kernel may say so before
the cell's last outputs are out, so that they would be lost; here every message finds its cell by the request it answers.
"""

import json
import queue
import sys
import time

from jupyter_client.manager import start_new_kernel

CELL_TIMEOUT_SECONDS = 240
QUIET_SECONDS = 0.5


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
    """Sorts what the kernel publishes to the cells that asked for it."""

    def __init__(self, client):
        self.client = client
        self.cells = {}
        self.idle = set()
        self.displays = {}

    def receive(self, timeout):
        message = self.client.get_iopub_msg(timeout=timeout)
        request = message["parent_header"].get("msg_id")
        kind, content = message["msg_type"], message["content"]
        if kind == "status" and content["execution_state"] == "idle":
            self.idle.add(request)
        elif kind == "update_display_data":
            self.displays[content["transient"]["display_id"]]["data"] = content["data"]
        elif request in self.cells:
            self.add(self.cells[request], output_of(kind, content), content)

    def add(self, cell, output, content):
        if output is None:
            return
        if "display_id" in content.get("transient", {}):
            self.displays[content["transient"]["display_id"]] = output
        last = cell["outputs"][-1] if cell["outputs"] else None
        if last and output["output_type"] == "stream" and last.get("name") == output["name"]:
            last["text"] += output["text"]
        else:
            cell["outputs"].append(output)

    def run(self, cell):
        request = self.client.execute("".join(cell["source"]), stop_on_error=False)
        self.cells[request] = cell
        deadline = time.monotonic() + CELL_TIMEOUT_SECONDS
        while request not in self.idle:
            try:
                self.receive(timeout=1)
            except queue.Empty:
                if not self.client.is_alive():
                    sys.exit(f"the kernel died in this cell:\n{''.join(cell['source'])}")
                if time.monotonic() > deadline:
                    sys.exit(f"this cell took over {CELL_TIMEOUT_SECONDS} s:\n{''.join(cell['source'])}")
        cell["execution_count"] = self.reply_to(request)["content"].get("execution_count")

    def reply_to(self, request):
        while True:
            reply = self.client.get_shell_msg(timeout=CELL_TIMEOUT_SECONDS)
            if reply["parent_header"].get("msg_id") == request:
                return reply

    def listen_to_the_end(self):
        """Outputs come out in order: when those of one more cell are here, so are all before."""
        last = {"source": ["console.log('end');"], "outputs": []}
        self.run(last)
        while not last["outputs"]:
            self.receive(timeout=CELL_TIMEOUT_SECONDS)
        try:
            while True:
                self.receive(timeout=QUIET_SECONDS)
        except queue.Empty:
            pass


def main(path, kernel_name):
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    manager, client = start_new_kernel(kernel_name=kernel_name, startup_timeout=60)
    try:
        listener = Listener(client)
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code" and "".join(cell["source"]).strip():
                cell["outputs"] = []
                listener.run(cell)
        listener.listen_to_the_end()
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(notebook, file, ensure_ascii=False, indent=1)
        file.write("\n")


main(*sys.argv[1:])
