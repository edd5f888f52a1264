package io.github.snowflakeid.consul;

import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.http.HttpServers.Answer;

/**
 * Translates answers that report a failure.
 *
 * @param prefix the start of all keys of leases
 */
record ConsulExceptionTranslator(String prefix) {

    private static final int FORBIDDEN = 403;

    RuntimeException translate(Answer answer) {
        String what = "Consul at %s ".formatted(answer.server());
        String why = " (" + answer.text() + ")";
        if (answer.status() == FORBIDDEN && answer.body().contains("ACL not found")) {
            return unusable(
                    Problem.LOGIN_REJECTED,
                    what + "does not know the token" + why,
                    "Set a valid token:\n\n{snowflake}.worker.consul.token: ${CONSUL_HTTP_TOKEN}");
        }
        if (answer.status() == FORBIDDEN) {
            return denied(answer);
        }
        if (answer.body().contains("No path to datacenter")) {
            return Problem.STORE_UNREACHABLE.exception(
                    what + "does not reach the datacenter" + why,
                    "Set a datacenter that 'consul catalog datacenters' lists:\n\n{snowflake}.worker.consul.datacenter: dc1");
        }
        if (answer.body().contains("No cluster leader")) {
            return Problem.STORE_UNREACHABLE.exception(
                    what + "has no leader" + why,
                    "Start the servers of Consul: more than half of them must be able to reach each other.");
        }
        return Problem.STORE_REJECTED_CALL.exception(what + "rejected the call" + why, null, null);
    }

    /** Returns the exception for an answer that denies keys, or leaves them out. */
    RuntimeException denied(Answer answer) {
        return unusable(
                Problem.MISSING_PERMISSION,
                "Consul at %s does not permit the token to read and write all keys below '%s'"
                        .formatted(answer.server(), prefix),
                """
                As an administrator of Consul, create a policy, and add it to the token:

                consul acl policy create -name snowflake -rules 'key_prefix "%s" { policy = "write" }'
                consul acl token update -id <accessor-id> -policy-name snowflake -merge-policies

                If there is no token yet, set it:

                {snowflake}.worker.consul.token: ${CONSUL_HTTP_TOKEN}""".formatted(prefix));
    }

    RuntimeException foreign(String key) {
        return unusable(
                Problem.FOREIGN_DATA,
                "Key '%s' of Consul is not a lease of a worker ID".formatted(ControlCharacters.escape(key)),
                "Use another prefix for the keys of leases:\n\n{snowflake}.worker.consul.prefix: snowflake-worker-ids/");
    }

    private static RuntimeException unusable(Problem problem, String message, String action) {
        return problem.exception(message, action).unusable();
    }
}
