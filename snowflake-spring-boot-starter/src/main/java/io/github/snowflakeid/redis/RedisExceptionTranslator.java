package io.github.snowflakeid.redis;

import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.Causes;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;

/**
 * Translates failures of calls. It recognizes a problem by the first word of the server's answer, which is in one of
 * the messages of the client's exceptions.
 *
 * @param key the key of the hash
 */
record RedisExceptionTranslator(StoredKind kind, String key) {

    /** Lettuce reports a lost connection with an exception of no particular type. */
    private static final Pattern NOT_CONNECTED = Pattern.compile("not connected|[Cc]onnection (is )?(already )?closed");

    private static final Pattern LOGIN = Pattern.compile("NOAUTH|WRONGPASS|invalid password");
    private static final Pattern PERMISSION = Pattern.compile("NOPERM|ACL failure");

    RuntimeException translate(RuntimeException failed) {
        String why = ControlCharacters.escape(rootMessage(failed));
        String all = Causes.of(failed).stream()
                .map(cause -> String.valueOf(cause.getMessage()))
                .collect(Collectors.joining("\n"));
        if (LOGIN.matcher(all).find()) {
            return unusable(Problem.LOGIN_REJECTED, "Redis rejects the login: " + why, """
                    Correct the user name and the password:

                    spring.data.redis.username: default
                    spring.data.redis.password: ${REDIS_PASSWORD}""", failed);
        }
        if (PERMISSION.matcher(all).find()) {
            return unusable(
                    Problem.MISSING_PERMISSION,
                    "The Redis user may not %s '%s': %s".formatted(kind.use(), key, why),
                    """
                    As an administrator of Redis, execute:

                    ACL SETUSER <user> ~%s* %s""".formatted(key, kind.permissions()),
                    failed);
        }
        if (all.contains("WRONGTYPE")) {
            return foreign("exists in Redis, but is not a " + kind.hash(), failed);
        }
        if (all.contains("READONLY")) {
            return Problem.READ_ONLY_STORE.exception(
                    "Redis is read-only: " + why,
                    "Connect to the primary server:\n\nspring.data.redis.host: redis-primary.example.org",
                    failed);
        }
        if (all.contains("OOM ")) {
            return Problem.STORE_FULL.exception(
                    "Redis is full: " + why,
                    "Raise 'maxmemory' of Redis, or let it evict keys that expire: 'maxmemory-policy volatile-lru'.",
                    failed);
        }
        if (all.contains("NOREPLICAS")) {
            return Problem.STORE_REJECTED_CALL.exception(
                    "Redis rejected the call: " + why,
                    "Start the replicas that 'min-replicas-to-write' requires.",
                    failed);
        }
        return isUnreachable(failed) || NOT_CONNECTED.matcher(all).find()
                ? Problem.STORE_UNREACHABLE.exception(
                        "Redis did not answer: " + why, "Start Redis, and check 'spring.data.redis'.", failed)
                : Problem.STORE_REJECTED_CALL.exception("Redis rejected the call: " + why, null, failed);
    }

    private static boolean isUnreachable(RuntimeException failed) {
        return Causes.of(failed).stream()
                .anyMatch(cause -> cause instanceof IOException
                        || cause instanceof TimeoutException
                        || cause instanceof QueryTimeoutException
                        || cause instanceof RedisConnectionFailureException
                        || cause.getClass().getSimpleName().contains("Timeout"));
    }

    /** Returns the exception for a hash with other data. */
    RuntimeException foreign() {
        return foreign("exists in Redis, but is not a " + kind.hash(), null);
    }

    /** Returns the exception for a hash with a field that is not a lease. */
    RuntimeException foreign(String field) {
        return foreign(
                "in Redis has a field '%s' that is not a lease".formatted(ControlCharacters.escape(field)), null);
    }

    private RuntimeException foreign(String what, @Nullable Throwable cause) {
        return unusable(
                Problem.FOREIGN_DATA,
                "Key '%s' %s".formatted(key, what),
                "Use another prefix for the keys of %s:\n\n%s".formatted(kind.rows(), kind.keyPrefix()),
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
