package io.github.snowflakeid.internal.store;

import java.util.ArrayList;
import java.util.List;

/** What failures come from: drivers, clients and pools wrap them several times. */
public final class Causes {

    private static final int MOST = 20;

    private Causes() {}

    /**
     * A failure and its causes. They may go in a circle, so there is an end to them.
     *
     * @param failure what was thrown
     * @return the failure itself, then its cause and so on, up to 20 causes
     */
    public static List<Throwable> of(Throwable failure) {
        List<Throwable> all = new ArrayList<>();
        for (Throwable next = failure; next != null && all.size() <= MOST; next = next.getCause()) {
            all.add(next);
        }
        return all;
    }

    /**
     * What a failure comes from in the end, as far as that is known.
     *
     * @param failure what was thrown
     * @return the last of its {@linkplain #of causes}; the failure itself if it has none
     */
    public static Throwable root(Throwable failure) {
        List<Throwable> all = of(failure);
        return all.get(all.size() - 1);
    }
}
