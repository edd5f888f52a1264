package io.github.snowflakeid.servers;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits for what happens soon, but on a slow machine much later. */
public final class Waiting {

    private Waiting() {}

    public static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofMinutes(2));
    }
}
