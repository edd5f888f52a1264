package io.github.snowflakeid;

import io.github.snowflakeid.internal.ControlCharacters;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** The values of {@link LeaseTerms}, which it checks. */
record TermsValues(
        WorkerRegistry registry,
        OptionalInt datacenterId,
        String ownerInfo,
        Duration ttl,
        Duration acquireTimeout,
        Duration maxClockSkew,
        Consumer<WorkerLease> listener)
        implements LeaseTerms {

    private static final Duration LONGEST = Duration.ofDays(1);
    private static final int LONGEST_INFO = 255;

    TermsValues {
        Objects.requireNonNull(registry, "registry");
        Objects.requireNonNull(listener, "listener");
        String ascii = ControlCharacters.toAscii(ownerInfo);
        ownerInfo = ascii.substring(0, Math.min(ascii.length(), LONGEST_INFO));
        requireInRange("ttl", ttl, Duration.ofSeconds(1), "1 s");
        requireInRange("acquireTimeout", acquireTimeout, Duration.ofMillis(1), "1 ms");
        requireInRange("maxClockSkew", maxClockSkew, Duration.ZERO, "0");
    }

    private static void requireInRange(String name, Duration value, Duration least, String leastInWords) {
        if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "%s must be from %s to 1 d, but was %s".formatted(name, leastInWords, value));
        }
    }
}
