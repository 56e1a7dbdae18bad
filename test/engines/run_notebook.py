"""Runs a file's cells, which `# %%` separates, as a notebook in a kernel of its own, and prints what the last one shows."""
import sys
import nbclient
from nbformat.v4 import new_code_cell, new_notebook

with open(sys.argv[1], encoding="utf-8") as file:
    cells = [new_code_cell(text.strip()) for text in file.read().split("# %%\n")]
notebook = nbclient.NotebookClient(new_notebook(cells=cells), timeout=300, kernel_name="python3").execute()
for output in notebook.cells[-1].outputs:
    print(output.get("data", {}).get("text/plain", ""))
