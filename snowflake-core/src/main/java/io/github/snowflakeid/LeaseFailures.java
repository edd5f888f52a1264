package io.github.snowflakeid;

import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerRegistry.Claim;
import io.github.snowflakeid.worker.WorkerRegistry.Entry;
import io.github.snowflakeid.worker.WorkerRegistry.Snapshot;
import org.jspecify.annotations.Nullable;

/** Messages about failures of a lease or its registry. */
record LeaseFailures(LeaseTerms terms) {

    private static final int MOST_CAUSES = 20;

    /** Returns what a caller gets that waits for a worker ID. */
    WorkerIdUnavailableException of(Throwable failed) {
        return failed instanceof WorkerIdUnavailableException refused ? refused : unreachable(messages(failed), failed);
    }

    WorkerIdUnavailableException unreachable(String why, @Nullable Throwable cause) {
        String message = "No worker id of namespace '%s' leased within %d ms: %s"
                .formatted(terms.registry().namespace(), terms.acquireTimeout().toMillis(), why);
        return new WorkerIdUnavailableException(Reason.REGISTRY_UNREACHABLE, message, cause);
    }

    /** The opening of the generator was cancelled. */
    WorkerIdUnavailableException notAwaited(String why) {
        String message = "No worker id of namespace '%s' leased: %s"
                .formatted(terms.registry().namespace(), why);
        return new WorkerIdUnavailableException(Reason.CANCELLED, message, null);
    }

    /** A worker ID is leased, but its IDs begin later. */
    WorkerIdUnavailableException waiting(String why) {
        String message =
                "No ids of namespace '%s' yet: %s".formatted(terms.registry().namespace(), why);
        return new WorkerIdUnavailableException(Reason.REGISTRY_UNREACHABLE, message, null);
    }

    /** Returns whether it is no use to try again. */
    static boolean isFinal(WorkerIdUnavailableException refused) {
        return refused.reason() != Reason.REGISTRY_UNREACHABLE && refused.reason() != Reason.ALL_LEASED;
    }

    /** Returns the messages of a failure and of its first cause: pools and drivers wrap exceptions several times. */
    static String messages(Throwable failure) {
        Throwable root = failure;
        // Causes may form a cycle.
        for (int causes = 0; causes < MOST_CAUSES && root.getCause() != null; causes++) {
            root = root.getCause();
        }
        String what = messageOf(failure);
        String why = messageOf(root);
        return what.contains(why) ? what : what + ": " + why;
    }

    private static String messageOf(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : ControlCharacters.escape(message);
    }

    /** Returns why a lease was lost, judging from its entry. */
    static String reasonOfLoss(Claim mine, Snapshot seen) {
        Entry entry = seen.entryOf(mine);
        if (entry == null) {
            return "its entry was deleted";
        }
        if (entry.owner() == null) {
            return "its entry was freed by somebody else";
        }
        return entry.owner().equals(mine.owner())
                ? "a copy of this process, or somebody else, changed its entry"
                : "it was taken over by " + ControlCharacters.escape(entry.ownerInfo());
    }
}
