"""A stand-in for a training loop: workers that fork, shuffled records, several epochs. Prints a digest of all it read.

usage: training_loop.py DIRECTORY RECORD_SIZE EPOCHS WORKERS
"""

import hashlib
import multiprocessing
import os
import random
import sys


def records_of(directory, record_size):
    """(path, offset) of every record, in a fixed order."""
    found = []
    for name in sorted(os.listdir(directory)):
        path = os.path.join(directory, name)
        for offset in range(0, os.path.getsize(path), record_size):
            found.append((path, offset))
    return found


class Dataset:
    """Half of the records are read by pread on descriptors that stay open, half through a buffered file."""

    def __init__(self, record_size):
        self.record_size = record_size
        self.descriptors = {}

    def read(self, index, path, offset):
        if index % 2 == 0:
            with open(path, "rb") as file:
                file.seek(offset)
                return file.read(self.record_size)
        if path not in self.descriptors:
            self.descriptors[path] = os.open(path, os.O_RDONLY)
        return os.pread(self.descriptors[path], self.record_size, offset)


dataset = None


def load(task):
    index, path, offset = task
    return index, hashlib.sha256(dataset.read(index, path, offset)).digest()


def main(directory, record_size, epochs, workers):
    global dataset
    dataset = Dataset(record_size)
    records = records_of(directory, record_size)
    load((1, *records[0]))  # so that the client is at work when the workers are forked
    digest = hashlib.sha256()
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        for epoch in range(epochs):
            tasks = [(index, *record) for index, record in enumerate(records)]
            random.Random(epoch).shuffle(tasks)
            for _, part in sorted(pool.imap_unordered(load, tasks, chunksize=4)):
                digest.update(part)
    print(len(records), digest.hexdigest())


main(sys.argv[1], *(int(argument) for argument in sys.argv[2:]))
