package io.github.snowflakeid.consul;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.http.HttpDocuments;
import io.github.snowflakeid.internal.http.HttpServers;
import io.github.snowflakeid.internal.http.HttpServers.Answer;
import io.github.snowflakeid.internal.store.FailureRule;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonParser;
import org.springframework.util.StringUtils;

/**
 * The documents of leases in Consul's key-value store: one key for each worker ID, whose version is its
 * {@code ModifyIndex}. All reads are consistent: the leader answers after most servers have confirmed that it still is
 * the leader. There are no sessions, because a failed health check would delete keys or release locks while IDs are
 * issued.
 *
 * <p>The clock is the one of the agent.
 *
 * @param servers the agent
 * @param token returns the token; empty if there is none
 * @param datacenter the datacenter of Consul; empty or null for the agent's
 * @param isDatacenterIdSet whether only worker IDs of one datacenter ID are leased
 * @param prefix the start of all keys of leases
 * @param isDatacenterChecked whether the datacenter was logged
 * @param begin returns when the call of the registry began, in nanoseconds
 */
record ConsulDocuments(
        HttpServers servers,
        Supplier<String> token,
        @Nullable String datacenter,
        boolean isDatacenterIdSet,
        String prefix,
        AtomicBoolean isDatacenterChecked,
        LongSupplier begin)
        implements HttpDocuments {

    private static final int NOT_FOUND = 404;

    private static final FailureRule DENIED = new FailureRule(
            "^403 ",
            Problem.MISSING_PERMISSION,
            "does not permit the token to read and write all keys below '%s'",
            """
            As an administrator of Consul, create a policy, and add it to the token:

            consul acl policy create -name snowflake -rules 'key_prefix "%s" { policy = "write" }'
            consul acl token update -id <accessor-id> -policy-name snowflake -merge-policies

            If there is no token yet, set it:

            {snowflake}.worker.consul.token: ${CONSUL_HTTP_TOKEN}""");

    private static final List<FailureRule> RULES = List.of(
            new FailureRule(
                    "(?s)^403 .*(ACL not found|Cannot resolve root ACL)",
                    Problem.LOGIN_REJECTED,
                    "does not know the token",
                    "Set a valid token:\n\n{snowflake}.worker.consul.token: ${CONSUL_HTTP_TOKEN}"),
            DENIED,
            new FailureRule(
                    "No path to datacenter|Remote DC has no server",
                    Problem.STORE_UNREACHABLE,
                    "does not reach the datacenter",
                    "Set a datacenter that 'consul catalog datacenters' lists:\n\n{snowflake}.worker.consul.datacenter: dc1"));

    @Override
    public ConsulDocuments forOneCall() {
        long now = System.nanoTime();
        return new ConsulDocuments(
                servers, token, datacenter, isDatacenterIdSet, prefix, isDatacenterChecked, () -> now);
    }

    @Override
    public Documents find(String prefix) {
        checkDatacenter();
        Answer answer = ask("GET", prefix, "?consistent&recurse", "");
        if (answer.status() == NOT_FOUND) {
            // Consul denies a single key, but to a search it answers as if there were no keys.
            ask("GET", prefix, "?consistent", "");
        }
        return documents(answer);
    }

    @Override
    public Documents get(String key) {
        return documents(ask("GET", key, "?consistent", ""));
    }

    private static Documents documents(Answer answer) {
        List<Object> pairs = answer.status() == NOT_FOUND ? List.of() : answer.content(JsonParser::parseList);
        return new Documents(
                answer.now(),
                pairs.stream()
                        .map(pair -> document((Map<?, ?>) pair))
                        // The user interface of Consul creates a key for a folder.
                        .filter(document -> !document.key().endsWith("/"))
                        .toList());
    }

    private static Document document(Map<?, ?> pair) {
        // Some parsers return a floating-point number.
        long version = ((Number) Objects.requireNonNull(pair.get("ModifyIndex"))).longValue();
        return new Document(
                String.valueOf(pair.get("Key")), String.valueOf(version), HttpDocuments.decoded(pair.get("Value")));
    }

    @Override
    public boolean put(String key, @Nullable String version, String text) {
        // A key that does not exist has index 0.
        String query = "?cas=" + (version == null ? "0" : version);
        return ask("PUT", key, query, text).body().strip().equals("true");
    }

    private Answer ask(String method, String key, String query, String body) {
        // Keys contain percent signs, which the agent decodes once.
        String path = "/v1/kv/" + key.replace("%", "%25") + query;
        String of =
                StringUtils.hasText(datacenter) ? "&dc=" + URLEncoder.encode(datacenter, StandardCharsets.UTF_8) : "";
        Answer answer = send(method, path + of, body);
        // A token without the permission for some keys gets the others, as if there were no more.
        if (answer.headers().firstValue("X-Consul-Results-Filtered-By-ACLs").isPresent()) {
            throw answer.failure(DENIED, prefix);
        }
        // Another server, such as a proxy without a route to the agent, also answers 404.
        boolean isMissing = method.equals("GET")
                && answer.status() == NOT_FOUND
                && answer.headers().firstValue("X-Consul-Index").isPresent();
        return isMissing ? answer : answer.checked(RULES, prefix);
    }

    private Answer send(String method, String path, String body) {
        String current = token.get();
        return servers.send(
                begin.getAsLong(),
                method,
                path,
                current.isEmpty() ? Map.of() : Map.of("X-Consul-Token", current),
                body);
    }

    /**
     * Logs the datacenter once, because each datacenter has a separate key-value store: instances that lease in
     * different datacenters could have the same worker ID.
     */
    private void checkDatacenter() {
        if (isDatacenterChecked.get()) {
            return;
        }
        Answer answer = send("GET", "/v1/catalog/datacenters", "").checked(RULES, prefix);
        List<String> all = answer.content(JsonParser::parseList).stream()
                .map(name -> ControlCharacters.escape(String.valueOf(name)))
                .toList();
        boolean isChosen = StringUtils.hasText(datacenter);
        if (!isChosen && all.size() > 1 && !isDatacenterIdSet) {
            throw Problem.AMBIGUOUS_STORE
                    .exception(
                            "Consul at %s has several datacenters (%s), and each of them would lease the same worker IDs"
                                    .formatted(answer.server(), String.join(", ", all)),
                            """
                            Let the instances of all datacenters lease in one of them:

                            {snowflake}.worker.consul.datacenter: %s

                            or give the instances of each datacenter a different datacenter ID, through an environment variable:

                            {snowflake}.datacenter.id: ${DATACENTER_ID}""".formatted(all.get(0)))
                    .unusable();
        }
        String used = isChosen ? ControlCharacters.escape(datacenter) : all.size() == 1 ? all.get(0) : "of the agent";
        LogFactory.getLog(SnowflakeIdGenerator.class)
                .info("Worker IDs are leased in Consul at %s, datacenter %s".formatted(answer.server(), used));
        isDatacenterChecked.set(true);
    }
}
