package io.github.snowflakeid.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.StoreSettings;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.mock.env.MockEnvironment;

class SpringCloudConsulTests {

    private final MockEnvironment environment = new MockEnvironment();
    private final SpringCloudConsul consul = new SpringCloudConsul(environment);

    @Test
    void hasTheDefaultsOfSpringCloudConsul() {
        assertThat(consul.isPresent()).isTrue();
        assertThat(consul.url()).isEqualTo("http://localhost:8500");
        assertThat(consul.token()).isEmpty();
        assertThat(consul.tls()).isNull();
    }

    @Test
    void leasesUseAllSettingsOrNone() {
        environment.setProperty("spring.cloud.consul.host", "127.0.0.1");
        environment.setProperty("spring.cloud.consul.port", "1");
        environment.setProperty("spring.cloud.consul.scheme", "https");
        environment.setProperty("spring.cloud.consul.path", "/consul/");

        assertThat(failure(null, null)).startsWith("Consul did not answer (https://127.0.0.1:1/consul: ");
        assertThat(failure("http://127.0.0.1:2/", null)).startsWith("Consul did not answer (http://127.0.0.1:2: ");
        assertThat(failure("http://127.0.0.1:2", "mine")).startsWith("Consul did not answer (http://127.0.0.1:2: ");
    }

    /** Returns what the registry reports for properties of leases. */
    private String failure(@Nullable String url, @Nullable String token) {
        StoreSettings store = new StoreSettings() {
            @Override
            public <T> T properties(Class<T> type) {
                return type.cast(new ConsulProperties(url, token, "snowflake/", null, null));
            }

            @Override
            public <T> T ownProperties(Class<T> type) {
                return properties(type);
            }

            @Override
            public void endBefore(Object bean, Class<?> type) {}
        };
        Duration limit = Duration.ofSeconds(60);
        LeaseSettings settings =
                new LeaseSettings(store, "default", IdLayout.DEFAULT, OptionalInt.empty(), limit, limit, "");
        ObjectProvider<SslBundles> none = new StaticListableBeanFactory().getBeanProvider(SslBundles.class);
        WorkerRegistry registry = SnowflakeConsulAutoConfiguration.registry(settings, none, consul);
        return catchThrowable(registry::read).getMessage();
    }

    @Test
    void readsTheToken() {
        environment.setProperty("spring.cloud.consul.token", "a");
        assertThat(consul.token()).isEqualTo("a");

        environment.setProperty("consul.token", "b");
        assertThat(consul.token()).isEqualTo("b");
    }

    @Test
    void readsTheCertificateOfTheClientAndTheTrustStore(@TempDir Path directory) throws Exception {
        Path keys = store(directory.resolve("client.p12"), "PKCS12", "first1");
        Path trusted = store(directory.resolve("trust.jks"), "JKS", "second");
        environment.setProperty("spring.cloud.consul.tls.key-store-instance-type", "PKCS12");
        environment.setProperty("spring.cloud.consul.tls.certificate-path", keys.toString());
        environment.setProperty("spring.cloud.consul.tls.certificate-password", "first1");
        environment.setProperty("spring.cloud.consul.tls.key-store-path", trusted.toString());
        environment.setProperty("spring.cloud.consul.tls.key-store-password", "second");

        SslBundle bundle = consul.tls();

        assertThat(bundle.getStores().getKeyStore().size()).isEqualTo(1);
        assertThat(bundle.getStores().getTrustStore().size()).isEqualTo(1);
        assertThat(bundle.createSslContext()).isNotNull();
    }

    private static Path store(Path file, String type, String password) throws Exception {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=test",
                        "-storetype",
                        type,
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        password,
                        "-keypass",
                        password)
                .redirectErrorStream(true)
                .start();
        process.getInputStream().readAllBytes();
        assertThat(process.waitFor()).isZero();
        return file;
    }
}
