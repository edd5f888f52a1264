package io.github.snowflakeid.kubernetes;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.http.HttpServers;
import io.github.snowflakeid.internal.http.HttpSettings;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.internal.store.Causes;
import io.github.snowflakeid.internal.store.ConditionalOnStore;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.LeaseStore;
import io.github.snowflakeid.worker.DocumentRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.yaml.snakeyaml.Yaml;

/**
 * Configures leases in Kubernetes if {@code snowflake.worker.strategy} is {@code kubernetes}. They use the API server
 * without a client library.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = SnowflakeAutoConfiguration.class)
@ConditionalOnClass(Yaml.class)
@ConditionalOnStore(value = "kubernetes", library = "SnakeYAML", dependency = """
        <dependency>
          <groupId>org.yaml</groupId>
          <artifactId>snakeyaml</artifactId>
        </dependency>""")
@PropertyGroup(KubernetesProperties.class)
public final class SnowflakeKubernetesAutoConfiguration {

    /** The volume that Kubernetes mounts into each pod. */
    static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9-]{1,63}");

    SnowflakeKubernetesAutoConfiguration() {}

    @Bean("snowflake.store.kubernetes")
    LeaseStore snowflakeKubernetesStore(ObjectProvider<SslBundles> bundles, Environment environment) {
        return settings -> registry(settings, bundles, environment, ACCOUNT);
    }

    static DocumentRegistry registry(
            LeaseSettings settings, ObjectProvider<SslBundles> bundles, Environment environment, Path account) {
        KubernetesProperties properties = settings.store().properties(KubernetesProperties.class);
        String set = properties.url();
        boolean isInPod = !StringUtils.hasText(set);
        String url = StringUtils.hasText(set) ? set : urlInPod(environment);
        String token = properties.token();
        String tokenFile = StringUtils.hasText(properties.tokenFile())
                ? properties.tokenFile()
                : isInPod ? account.resolve("token").toString() : null;
        KubernetesDocuments documents = new KubernetesDocuments(
                servers(url, isInPod, properties.sslBundle(), settings, bundles, account),
                StringUtils.hasText(token) ? () -> token : () -> tokenFile == null ? "" : read(Path.of(tokenFile)),
                namespace(properties.namespace(), account),
                settings.namespace(),
                System::nanoTime,
                new AtomicReference<>());
        return new DocumentRegistry(documents, "snowflake/", settings.namespace());
    }

    private static HttpServers servers(
            String url,
            boolean isInPod,
            @Nullable String bundle,
            LeaseSettings settings,
            ObjectProvider<SslBundles> bundles,
            Path account) {
        if (!isInPod || StringUtils.hasText(bundle)) {
            return new HttpSettings(
                            "Kubernetes", "{snowflake}.worker.kubernetes", "url", "http://localhost:8001", bundles)
                    .open(KubernetesDocuments.twice(url), bundle, settings);
        }
        PemSslStoreDetails ca = PemSslStoreDetails.forCertificate("file:" + account.resolve("ca.crt"));
        return new HttpServers(
                "Kubernetes",
                KubernetesDocuments.twice(URI.create(url)),
                () -> SslBundle.of(new PemSslStoreBundle((PemSslStoreDetails) null, ca)),
                settings.longestAnswer(),
                "Let this pod connect to the API server: check network policies and the proxy of a service mesh.");
    }

    private static String urlInPod(Environment environment) {
        String host = environment.getProperty("KUBERNETES_SERVICE_HOST");
        if (!StringUtils.hasText(host)) {
            throw Problem.MISSING_STORE.exception(
                    "Property '{snowflake}.worker.strategy' is 'kubernetes', but this process is in no pod: the environment variable KUBERNETES_SERVICE_HOST is not set.",
                    """
                    Outside of a pod, execute 'kubectl proxy', and set:

                    {snowflake}.worker.kubernetes.url: http://localhost:8001
                    {snowflake}.worker.kubernetes.namespace: default""");
        }
        return "https://%s:%s"
                .formatted(
                        host.contains(":") ? "[" + host + "]" : host,
                        environment.getProperty("KUBERNETES_SERVICE_PORT", "443"));
    }

    private static String namespace(@Nullable String set, Path account) {
        Path file = account.resolve("namespace");
        String namespace = StringUtils.hasText(set) ? set : Files.exists(file) ? read(file) : "";
        if (!NAMESPACE.matcher(namespace).matches()) {
            throw Problem.invalid(
                    new IllegalArgumentException(
                            "the namespace of the cluster must consist of 1 to 63 lower-case letters, digits and hyphens, but was '%s'"
                                    .formatted(namespace)),
                    "{snowflake}.worker.kubernetes.namespace",
                    "default");
        }
        return namespace;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw Problem.LOGIN_REJECTED.exception(
                    "The service account cannot be used: file '%s' cannot be read (%s)"
                            .formatted(file, Causes.message(e)),
                    """
                    Set 'automountServiceAccountToken: true' in the specification of the pod, or name another file:

                    {snowflake}.worker.kubernetes.token-file: /path/of/token""",
                    e);
        }
    }
}
