package io.github.snowflakeid.internal.failure;

import java.util.ArrayList;
import java.util.List;

/** Lists the causes of a failure, which drivers, clients and pools wrap several times. */
public final class Causes {

    private static final int MAX_CAUSES = 20;

    private Causes() {}

    /**
     * Returns a failure and its causes. Causes may form a cycle, so their number is limited.
     *
     * @param failure the failure
     * @return the failure itself, then its cause and so on, up to 20 causes
     */
    public static List<Throwable> of(Throwable failure) {
        List<Throwable> all = new ArrayList<>();
        for (Throwable next = failure; next != null && all.size() <= MAX_CAUSES; next = next.getCause()) {
            all.add(next);
        }
        return all;
    }

    /**
     * Returns the innermost cause of a failure, as far as it is known.
     *
     * @param failure the failure
     * @return the last of its {@linkplain #of causes}; the failure itself if it has none
     */
    public static Throwable root(Throwable failure) {
        List<Throwable> all = of(failure);
        return all.get(all.size() - 1);
    }

    /**
     * Returns the message of a failure.
     *
     * @param failure the failure
     * @return its message, or its type if it has none: a refused connection may have none
     */
    public static String message(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }
}
