package io.github.snowflakeid.redis;

import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.Causes;
import java.io.IOException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Translates failures of a call by the first word of the server's answer, which clients keep somewhere in their exceptions.
 *
 * @param key of the hash
 */
record RedisExceptionTranslator(StoredKind kind, String key) {

    private static final Pattern ERROR_CODE = Pattern.compile("[A-Z]{2,} ");

    private static final Pattern LOGIN = Pattern.compile("NOAUTH|WRONGPASS|invalid password");
    private static final Pattern PERMISSION = Pattern.compile("NOPERM|ACL failure");

    RuntimeException translate(RuntimeException failed) {
        String why = ControlCharacters.escape(rootMessage(failed));
        String all = Causes.of(failed).stream()
                .map(cause -> String.valueOf(cause.getMessage()))
                .collect(Collectors.joining("\n"));
        if (LOGIN.matcher(all).find()) {
            return unusable(Problem.LOGIN_REJECTED, "Redis refuses the login: " + why, """
                    Correct user name and password:

                    spring.data.redis.username: default
                    spring.data.redis.password: ${REDIS_PASSWORD}""", failed);
        }
        if (PERMISSION.matcher(all).find()) {
            return unusable(
                    Problem.MISSING_PERMISSION,
                    "The user of Redis may not %s '%s': %s".formatted(kind.use(), key, why),
                    """
                    Let a user who may do so execute:

                    ACL SETUSER <user> ~%s* %s""".formatted(key, kind.permissions()),
                    failed);
        }
        if (all.contains("WRONGTYPE")) {
            return foreign("is in Redis already, but is no " + kind.hash(), failed);
        }
        if (all.contains("READONLY")) {
            return Problem.READ_ONLY_STORE.exception(
                    "Redis refuses: " + why,
                    "Connect to the primary server:\n\nspring.data.redis.host: redis-primary.example.org",
                    failed);
        }
        if (all.contains("OOM ")) {
            return Problem.STORE_FULL.exception(
                    "Redis refuses: " + why,
                    "Raise 'maxmemory' of Redis, or let it evict what expires: 'maxmemory-policy volatile-lru'.",
                    failed);
        }
        if (all.contains("NOREPLICAS")) {
            return Problem.STORE_REJECTED_CALL.exception(
                    "Redis refuses: " + why, "Start the replicas that 'min-replicas-to-write' asks for.", failed);
        }
        // Errors that Redis answers begin with a code in capitals; other messages come from the client or the network.
        return ERROR_CODE.matcher(rootMessage(failed)).lookingAt() && !(Causes.root(failed) instanceof IOException)
                ? Problem.STORE_REJECTED_CALL.exception("Redis refuses: " + why, null, failed)
                : Problem.STORE_UNREACHABLE.exception(
                        "Redis did not answer: " + why, "Start Redis, and check 'spring.data.redis'.", failed);
    }

    /** The hash exists, but has other data. */
    RuntimeException foreign() {
        return foreign("is in Redis already, but is no " + kind.hash(), null);
    }

    /** The hash has such a field, but with other data. */
    RuntimeException foreign(String field) {
        return foreign("in Redis has a field '%s' that is no lease".formatted(ControlCharacters.escape(field)), null);
    }

    private RuntimeException foreign(String what, @Nullable Throwable cause) {
        return unusable(
                Problem.FOREIGN_DATA,
                "Key '%s' %s".formatted(key, what),
                "Let keys of %s begin in another way:\n\n%s".formatted(kind.rows(), kind.keyPrefix()),
                cause);
    }

    private RuntimeException unusable(Problem problem, String message, String action, @Nullable Throwable cause) {
        return kind.unusable().apply(problem.exception(message, action, cause));
    }

    private static String rootMessage(Throwable failed) {
        Throwable root = Causes.root(failed);
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
