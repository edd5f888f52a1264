package io.github.snowflakeid;

import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.WorkerRegistry.Snapshot;
import io.github.snowflakeid.internal.ControlCharacters;
import org.jspecify.annotations.Nullable;

/** The messages and exceptions for failures of a lease or of its registry. */
record LeaseFailures(LeaseTerms terms) {

    private static final int MOST_CAUSES = 20;

    /** Returns the exception for a thread that waits for a worker ID. */
    WorkerIdUnavailableException of(Throwable failure) {
        return failure instanceof WorkerIdUnavailableException known ? known : unreachable(messages(failure), failure);
    }

    WorkerIdUnavailableException unreachable(String why, @Nullable Throwable cause) {
        String message = "No worker ID of namespace '%s' leased within %s ms: %s"
                .formatted(terms.registry().namespace(), terms.acquireTimeout().toMillis(), why);
        return new WorkerIdUnavailableException(Reason.REGISTRY_UNREACHABLE, message, cause);
    }

    /** Returns the exception for a thread whose wait for a worker ID was cancelled. */
    WorkerIdUnavailableException cancelled(String why) {
        String message = "No worker ID of namespace '%s' leased: %s"
                .formatted(terms.registry().namespace(), why);
        return new WorkerIdUnavailableException(Reason.CANCELLED, message, null);
    }

    /** Returns the exception for a thread that waits for a worker ID whose IDs begin later. */
    WorkerIdUnavailableException waiting(String why) {
        String message = "No IDs can be generated in namespace '%s' yet: %s"
                .formatted(terms.registry().namespace(), why);
        return new WorkerIdUnavailableException(Reason.REGISTRY_UNREACHABLE, message, null);
    }

    /** Returns whether further attempts would fail as well. */
    static boolean isFinal(WorkerIdUnavailableException failure) {
        return failure.reason() != Reason.REGISTRY_UNREACHABLE && failure.reason() != Reason.ALL_LEASED;
    }

    /**
     * Returns the messages of a failure and of its root cause: connection pools and drivers wrap exceptions several
     * times.
     */
    static String messages(Throwable failure) {
        Throwable root = failure;
        // Causes may form a cycle.
        for (int causes = 0; causes < MOST_CAUSES && root.getCause() != null; causes++) {
            root = root.getCause();
        }
        String what = messageOf(failure);
        String why = messageOf(root);
        return what.contains(why) ? what : what.replaceFirst("\\.$", "") + ": " + why;
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
            return "its entry was released by another process or by hand";
        }
        if (!entry.owner().equals(mine.owner())) {
            return "it was taken over by " + ControlCharacters.escape(entry.ownerInfo());
        }
        return entry.reservedUntil().equals(mine.reservedUntil())
                ? "it expired before the store accepted a renewal"
                : "its entry was changed by a copy of this process or by hand";
    }
}
