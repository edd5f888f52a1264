package io.github.snowflakeid.etcd;

import io.github.snowflakeid.etcd.EtcdSession.Result;
import io.github.snowflakeid.internal.http.HttpServers;
import io.github.snowflakeid.worker.DocumentStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The documents of leases in etcd: one key for each worker ID, whose version is the revision of its last modification. All reads are
 * linearizable, so also a member that was cut off from the others answers no stale data. Keys are attached to no lease of etcd, because the
 * record of issued IDs must not expire.
 *
 * <p>The clock is the one of the member that answers.
 *
 * @param call the requests of one call of the registry
 */
record EtcdDocuments(EtcdSession session, HttpServers.Call call) implements DocumentStore {

    static EtcdDocuments of(EtcdSession session) {
        return new EtcdDocuments(session, session.servers().begin());
    }

    @Override
    public DocumentStore begin() {
        return of(session);
    }

    @Override
    public String kind() {
        return "etcd";
    }

    @Override
    public Documents find(String prefix) {
        String end = prefix.substring(0, prefix.length() - 1) + (char) (prefix.charAt(prefix.length() - 1) + 1);
        return range(Map.of("key", base64(prefix), "range_end", base64(end)));
    }

    @Override
    public Documents get(String key) {
        return range(Map.of("key", base64(key)));
    }

    private Documents range(Map<String, Object> request) {
        Result result = session.post(call, "/v3/kv/range", request);
        List<Document> documents = new ArrayList<>();
        if (result.content().get("kvs") instanceof List<?> found) {
            for (Object each : found) {
                Map<?, ?> pair = (Map<?, ?>) each;
                documents.add(new Document(
                        HttpServers.decoded(pair.get("key")),
                        String.valueOf(pair.get("mod_revision")),
                        HttpServers.decoded(pair.get("value"))));
            }
        }
        return new Documents(result.answer().now(), documents);
    }

    @Override
    public boolean put(String key, @Nullable String version, String text) {
        String name = base64(key);
        // A key that does not exist has revision 0.
        Map<String, Object> unchanged = Map.of(
                "target", "MOD", "result", "EQUAL", "key", name, "mod_revision", version == null ? "0" : version);
        Map<String, Object> write = Map.of("request_put", Map.of("key", name, "value", base64(text)));
        Map<String, Object> transaction = Map.of("compare", List.of(unchanged), "success", List.of(write));
        Object succeeded =
                session.post(call, "/v3/kv/txn", transaction).content().get("succeeded");
        return "true".equals(String.valueOf(succeeded));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public RuntimeException foreign(Document document) {
        return session.translator().foreign(document.key());
    }

    @Override
    public void close() {
        session.servers().close();
    }
}
