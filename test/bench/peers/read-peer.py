"""Reads a whole tracker with a peer, as the peer is meant to be used, and prints what it found as read-own.js does.

`read-peer.py PEER` prints the version of the peer, and fails if it is not installed; `read-peer.py PEER URL` reads.
"""

import json
import os
import sys
from datetime import datetime, timezone


def perceval(url, key):
    from perceval.backends.core.bugzillarest import BugzillaREST

    for item in BugzillaREST(url, api_key=key).fetch():
        bug = item["data"]
        yield bug, bug["comments"], bug["attachments"], bug["history"]


def perceval_version():
    import perceval.backends.core.bugzillarest
    from perceval._version import __version__

    return __version__


def python_bugzilla(url, key):
    import bugzilla

    tracker = bugzilla.Bugzilla(url + "/rest", api_key=key, use_creds=False, force_rest=True)
    bugs = [bug.get_raw_data() for bug in tracker.query({"last_change_time": "1970-01-01T00:00:00Z"})]
    ids = [bug["id"] for bug in bugs]
    comments = tracker.get_comments(ids).get("bugs", {})
    attachments = tracker.get_attachments(ids, None, exclude_fields=["data"]).get("bugs", {})
    histories = {one["id"]: one["history"] for one in tracker.bugs_history_raw(ids)["bugs"]}
    for bug in bugs:
        name = str(bug["id"])
        yield bug, comments[name]["comments"], attachments[name], histories[bug["id"]]


def python_bugzilla_version():
    import bugzilla

    return bugzilla.__version__


peers = {"perceval": (perceval, perceval_version), "python-bugzilla": (python_bugzilla, python_bugzilla_version)}


def second(text):
    return int(datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc).timestamp())


def main(peer, url=None):
    read, version = peers[peer]
    if url is None:
        return print(version())
    found = {"bugs": [], "privateBugs": [], "comments": [], "attachments": [], "history": []}
    for bug, comments, attachments, history in read(url, os.environ["TRACKER_API_KEY"]):
        found["bugs"].append(bug["id"])
        if bug["groups"]:
            found["privateBugs"].append(bug["id"])
        found["comments"] += [comment["id"] for comment in comments]
        found["attachments"] += [attachment["id"] for attachment in attachments]
        for entry in history:
            found["history"] += ["%d %d %s" % (bug["id"], second(entry["when"]), change["field_name"]) for change in entry["changes"]]
    print(json.dumps(found))


main(*sys.argv[1:])
