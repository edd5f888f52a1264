package io.github.snowflakeid.consul;

import io.github.snowflakeid.internal.http.HttpServers;
import io.github.snowflakeid.internal.http.HttpServers.Answer;
import io.github.snowflakeid.worker.DocumentStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonParserFactory;

/**
 * The documents of leases in Consul's key-value store: one key for each worker ID, whose version is its {@code ModifyIndex}. All reads are
 * consistent: the leader answers after most servers have confirmed that it still is the leader. There are no sessions, because a failed health
 * check would delete keys or release locks while IDs are issued.
 *
 * <p>The clock is the one of the agent.
 *
 * @param call the requests of one call of the registry
 */
record ConsulDocuments(ConsulAgent agent, HttpServers.Call call) implements DocumentStore {

    static ConsulDocuments of(ConsulAgent agent) {
        return new ConsulDocuments(agent, agent.servers().begin());
    }

    @Override
    public DocumentStore begin() {
        return of(agent);
    }

    @Override
    public String kind() {
        return "consul";
    }

    @Override
    public Documents find(String prefix) {
        agent.checkDatacenter(call);
        Answer answer = agent.ask(call, "GET", prefix, "?consistent&recurse", "");
        if (!ConsulAgent.isFound(answer)) {
            // Consul denies a single key, but to a search it answers as if there were no keys.
            agent.ask(call, "GET", prefix, "?consistent", "");
        }
        return documents(answer);
    }

    @Override
    public Documents get(String key) {
        return documents(agent.ask(call, "GET", key, "?consistent", ""));
    }

    private static Documents documents(Answer answer) {
        List<Document> documents = new ArrayList<>();
        if (ConsulAgent.isFound(answer)) {
            for (Object each : JsonParserFactory.getJsonParser().parseList(answer.body())) {
                Map<?, ?> pair = (Map<?, ?>) each;
                String key = String.valueOf(pair.get("Key"));
                // Some parsers return a floating-point number.
                long version = ((Number) Objects.requireNonNull(pair.get("ModifyIndex"))).longValue();
                // The user interface of Consul creates a key for a folder.
                if (!key.endsWith("/")) {
                    documents.add(new Document(key, String.valueOf(version), HttpServers.decoded(pair.get("Value"))));
                }
            }
        }
        return new Documents(answer.now(), documents);
    }

    @Override
    public boolean put(String key, @Nullable String version, String text) {
        // A key that does not exist has index 0.
        String query = "?cas=" + (version == null ? "0" : version);
        return agent.ask(call, "PUT", key, query, text).body().strip().equals("true");
    }

    @Override
    public RuntimeException foreign(Document document) {
        return agent.translator().foreign(document.key());
    }

    @Override
    public void close() {
        agent.servers().close();
    }
}
