package io.github.snowflakeid.redis;

import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.Causes;
import java.io.IOException;
import java.util.regex.Pattern;

/**
 * Translates failures of a call by the first word of the server's answer, which clients keep somewhere in their exceptions.
 *
 * @param key of the hash
 */
record RedisExceptionTranslator(StoredKind kind, String key) {

    private static final Pattern ERROR_CODE = Pattern.compile("[A-Z]{2,} ");

    RuntimeException translate(RuntimeException failed) {
        String why = ControlCharacters.escape(rootMessage(failed));
        if (says(failed, "NOAUTH") || says(failed, "WRONGPASS") || says(failed, "invalid password")) {
            return kind.unusable(Problem.LOGIN_REJECTED.exception("Redis refuses the login: " + why, """
                    Correct user name and password:

                    spring.data.redis.username: default
                    spring.data.redis.password: ${REDIS_PASSWORD}""", failed));
        }
        if (says(failed, "NOPERM") || says(failed, "ACL failure")) {
            return kind.unusable(Problem.MISSING_PERMISSION.exception(
                    "The user of Redis may not %s '%s': %s".formatted(kind.use, key, why),
                    """
                    Let somebody who may execute this for the user:

                    ACL SETUSER <user> ~%s* %s""".formatted(key, kind.permissions),
                    failed));
        }
        if (says(failed, "WRONGTYPE")) {
            return kind.unusable(Problem.FOREIGN_DATA.exception(
                    "Key '%s' is in Redis already, but is no %s".formatted(key, kind.hash), otherPrefix(), failed));
        }
        if (says(failed, "READONLY")) {
            return Problem.READ_ONLY_STORE.exception("The server of Redis is a read-only replica: " + why, """
                    Connect to the primary server:

                    spring.data.redis.host: redis-primary.example.org""", failed);
        }
        if (says(failed, "OOM ")) {
            return Problem.STORE_FULL.exception(
                    "Redis has no memory left: " + why,
                    "Raise 'maxmemory' of Redis, or let it evict what expires: 'maxmemory-policy volatile-lru'.",
                    failed);
        }
        if (says(failed, "NOREPLICAS")) {
            return Problem.STORE_REJECTED_CALL.exception(
                    "Redis refuses to write: " + why,
                    "Start the replicas that 'min-replicas-to-write' asks for.",
                    failed);
        }
        return isAnswer(failed)
                ? Problem.STORE_REJECTED_CALL.exception("Redis refuses: " + why, null, failed)
                : Problem.STORE_UNREACHABLE.exception(
                        "Redis did not answer: " + why, "Start Redis, and check 'spring.data.redis'.", failed);
    }

    /** Errors that Redis answers begin with a code in capitals; other messages come from the client or the network. */
    private static boolean isAnswer(Throwable failed) {
        return !(Causes.root(failed) instanceof IOException)
                && ERROR_CODE.matcher(rootMessage(failed)).lookingAt();
    }

    private String otherPrefix() {
        return """
            Let keys of %s begin in another way:

            %s""".formatted(kind.rows, kind.otherPrefix);
    }

    /** There is a hash, but it has something else. */
    RuntimeException foreign() {
        return kind.unusable(Problem.FOREIGN_DATA.exception(
                "Hash '%s' in Redis is no %s".formatted(key, kind.hash), otherPrefix(), null));
    }

    /** There is a hash with such a field, which has something else. */
    RuntimeException foreign(String field) {
        return kind.unusable(Problem.FOREIGN_DATA.exception(
                "Hash '%s' in Redis has a field '%s' that is no lease".formatted(key, ControlCharacters.escape(field)),
                otherPrefix(),
                null));
    }

    private static boolean says(Throwable failed, String word) {
        return Causes.of(failed).stream()
                .anyMatch(cause ->
                        cause.getMessage() != null && cause.getMessage().contains(word));
    }

    private static String rootMessage(Throwable failed) {
        Throwable root = Causes.root(failed);
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
