package io.github.snowflakeid.consul;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.http.HttpServers;
import io.github.snowflakeid.internal.http.HttpServers.Answer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.util.StringUtils;

/** Sends requests to a Consul agent. Safe for use by any number of threads. */
final class ConsulAgent {

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final HttpServers servers;
    private final Map<String, String> headers;
    private final String datacenter;
    private final boolean isDatacenterIdSet;
    private final ConsulExceptionTranslator translator;
    private volatile boolean isDatacenterChecked;

    /**
     * Creates the client of an agent.
     *
     * @param datacenter the datacenter of Consul; empty for the agent's
     * @param isDatacenterIdSet whether only worker IDs of one datacenter ID are leased
     * @param prefix the start of all keys of leases
     */
    ConsulAgent(
            HttpServers servers, @Nullable String token, String datacenter, boolean isDatacenterIdSet, String prefix) {
        this.servers = servers;
        headers = StringUtils.hasText(token) ? Map.of("X-Consul-Token", token) : Map.of();
        this.datacenter = datacenter;
        this.isDatacenterIdSet = isDatacenterIdSet;
        translator = new ConsulExceptionTranslator(prefix);
    }

    /** @param query the query, which begins with a question mark */
    Answer ask(HttpServers.Call call, String method, String key, String query, String body) {
        // Keys contain percent signs, which the agent decodes once.
        String path = "/v1/kv/" + key.replace("%", "%25") + query;
        String of = datacenter.isEmpty() ? "" : "&dc=" + URLEncoder.encode(datacenter, StandardCharsets.UTF_8);
        Answer answer = call.send(method, path + of, headers, body);
        // A token without the permission for some keys gets the others, as if there were no more.
        if (answer.headers().firstValue("X-Consul-Results-Filtered-By-ACLs").isPresent()) {
            throw translator.denied(answer);
        }
        if (answer.status() != OK && !(method.equals("GET") && answer.status() == NOT_FOUND)) {
            throw translator.translate(answer);
        }
        return answer;
    }

    static boolean isFound(Answer answer) {
        return answer.status() == OK;
    }

    /**
     * Logs the datacenter once, because each datacenter has a separate key-value store: instances that lease in different datacenters could
     * have the same worker ID.
     */
    void checkDatacenter(HttpServers.Call call) {
        if (isDatacenterChecked) {
            return;
        }
        Answer answer = call.send("GET", "/v1/catalog/datacenters", headers, "");
        if (answer.status() != OK) {
            throw translator.translate(answer);
        }
        List<String> all = JsonParserFactory.getJsonParser().parseList(answer.body()).stream()
                .map(name -> ControlCharacters.escape(String.valueOf(name)))
                .toList();
        if (datacenter.isEmpty() && all.size() > 1 && !isDatacenterIdSet) {
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
        String used = datacenter.isEmpty()
                ? all.size() == 1 ? all.get(0) : "of the agent"
                : ControlCharacters.escape(datacenter);
        LogFactory.getLog(SnowflakeIdGenerator.class)
                .info("Worker IDs are leased in Consul at %s, datacenter %s".formatted(answer.server(), used));
        isDatacenterChecked = true;
    }

    HttpServers servers() {
        return servers;
    }

    ConsulExceptionTranslator translator() {
        return translator;
    }
}
