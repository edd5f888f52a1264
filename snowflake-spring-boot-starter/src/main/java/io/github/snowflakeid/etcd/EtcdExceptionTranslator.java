package io.github.snowflakeid.etcd;

import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.http.HttpServers.Answer;

/**
 * Translates answers that report a failure. It recognizes a problem by words of etcd's message, because the codes of the gateway differ
 * between versions.
 *
 * @param prefix the start of all keys of leases
 */
record EtcdExceptionTranslator(String prefix) {

    private static final String LOGIN = """
            {snowflake}.worker.etcd.username: shop
            {snowflake}.worker.etcd.password: ${ETCD_PASSWORD}""";

    private static final int NOT_FOUND = 404;
    private static final int SERVER_ERROR = 500;

    RuntimeException translate(Answer answer) {
        String body = answer.body();
        String what = "etcd at %s ".formatted(answer.server());
        String why = " (" + answer.text() + ")";
        if (answer.status() == NOT_FOUND) {
            return unusable(
                    Problem.STORE_UNUSABLE,
                    what + "has no JSON gateway" + why,
                    "Start etcd 3.4 or later without '--enable-grpc-gateway=false', and check that the URL is one of its client URLs.");
        }
        if (body.contains("CommonName")) {
            return unusable(
                    Problem.LOGIN_REJECTED,
                    what + "rejects client certificates with a common name at its JSON gateway" + why,
                    "Issue a certificate without a common name, such as '/O=shop', for the SSL bundle, and log in with a password:\n\n"
                            + LOGIN);
        }
        if (body.contains("user name is empty") || body.contains("invalid user ID or password")) {
            return unusable(
                    Problem.LOGIN_REJECTED,
                    what + "rejects the login" + why,
                    "Set the user name and the password. A client certificate does not log in through the JSON gateway:\n\n"
                            + LOGIN);
        }
        if (body.contains("permission denied")) {
            return unusable(
                    Problem.MISSING_PERMISSION,
                    what + "does not permit the user to read and write keys below '%s'".formatted(prefix) + why,
                    """
                    As root of etcd, execute:

                    etcdctl role add snowflake
                    etcdctl role grant-permission snowflake --prefix=true readwrite %s
                    etcdctl user grant-role <user> snowflake""".formatted(prefix));
        }
        if (body.contains("database space exceeded")) {
            return Problem.STORE_FULL.exception(what + "is full: its quota is exhausted" + why, """
                    Remove old revisions, defragment each member, and clear the alarm:

                    etcdctl compact <revision>
                    etcdctl defrag --cluster
                    etcdctl alarm disarm""");
        }
        if (answer.status() >= SERVER_ERROR) {
            return Problem.STORE_UNREACHABLE.exception(
                    what + "has no leader, or is too slow" + why,
                    "Start the members of the cluster: more than half of them must be able to reach each other.");
        }
        return Problem.STORE_REJECTED_CALL.exception(what + "rejected the call" + why, null, null);
    }

    RuntimeException foreign(String key) {
        return unusable(
                Problem.FOREIGN_DATA,
                "Key '%s' of etcd is not a lease of a worker ID".formatted(ControlCharacters.escape(key)),
                "Use another prefix for the keys of leases:\n\n{snowflake}.worker.etcd.prefix: snowflake-worker-ids/");
    }

    private static RuntimeException unusable(Problem problem, String message, String action) {
        return problem.exception(message, action).unusable();
    }
}
