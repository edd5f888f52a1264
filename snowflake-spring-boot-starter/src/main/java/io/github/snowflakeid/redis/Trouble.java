package io.github.snowflakeid.redis;

import io.github.snowflakeid.store.StoreException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;

/**
 * Says what Redis has against a call, by the first word of its answer, which clients keep somewhere in their exceptions.
 *
 * @param key of the namespace
 */
record Trouble(String key) {

    private static final int MOST_CAUSES = 10;

    RuntimeException of(RuntimeException failed) {
        String why = rootMessage(failed);
        if (says(failed, "NOAUTH") || says(failed, "WRONGPASS") || says(failed, "invalid password")) {
            return new StoreException("Redis refuses the login: " + why, """
                    Correct user name and password:

                    spring.data.redis.username: default
                    spring.data.redis.password: ${REDIS_PASSWORD}""", failed).unusable();
        }
        if (says(failed, "NOPERM") || says(failed, "ACL failure")) {
            return new StoreException(
                            "The user of Redis may not lease worker ids in '%s': %s".formatted(key, why),
                            """
                    Let somebody who may execute this for the user:

                    ACL SETUSER <user> ~%s* +eval +hget +hset +hgetall +time +info""".formatted(key),
                            failed)
                    .unusable();
        }
        if (says(failed, "WRONGTYPE")) {
            return new StoreException(
                            "Key '%s' is in Redis already, but is no hash of leases".formatted(key),
                            OTHER_PREFIX,
                            failed)
                    .unusable();
        }
        if (says(failed, "READONLY")) {
            return new StoreException("The server of Redis is a read-only replica: " + why, """
                    Connect to the primary server:

                    spring.data.redis.host: redis-primary.example.org""", failed);
        }
        if (says(failed, "OOM ")) {
            return new StoreException(
                    "Redis has no memory left: " + why,
                    "Raise 'maxmemory' of Redis, or let it evict what expires: 'maxmemory-policy volatile-lru'.",
                    failed);
        }
        if (says(failed, "NOREPLICAS")) {
            return new StoreException(
                    "Redis refuses to write: " + why,
                    "Start the replicas that 'min-replicas-to-write' asks for.",
                    failed);
        }
        boolean silent = !(failed instanceof DataAccessException)
                || failed instanceof DataAccessResourceFailureException
                || failed instanceof QueryTimeoutException;
        return silent
                ? new StoreException(
                        "Redis did not answer: " + why, "Start Redis, and check 'spring.data.redis'.", failed)
                : new StoreException("Redis refuses: " + why, null, failed);
    }

    private static final String OTHER_PREFIX = """
            Let keys of leases begin in another way:

            snowflake.worker.redis.key-prefix: "snowflake-worker-ids:\"""";

    RuntimeException foreign(String field, RuntimeException cause) {
        return new StoreException(
                        "Hash '%s' in Redis has a field '%s' that is no lease".formatted(key, field),
                        OTHER_PREFIX,
                        cause)
                .unusable();
    }

    private static boolean says(Throwable failed, String word) {
        Throwable cause = failed;
        for (int i = 0; i < MOST_CAUSES && cause != null; i++, cause = cause.getCause()) {
            if (cause.getMessage() != null && cause.getMessage().contains(word)) {
                return true;
            }
        }
        return false;
    }

    private static String rootMessage(Throwable failed) {
        Throwable root = failed;
        for (int i = 0; i < MOST_CAUSES && root.getCause() != null; i++) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
