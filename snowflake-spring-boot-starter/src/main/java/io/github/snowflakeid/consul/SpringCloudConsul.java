package io.github.snowflakeid.consul;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.jks.JksSslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreDetails;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/** The agent that Spring Cloud Consul uses. Its library is not needed: its properties are read from the environment. */
record SpringCloudConsul(Environment environment) {

    private static final String PROPERTIES = "org.springframework.cloud.consul.ConsulProperties";

    boolean isPresent() {
        return ClassUtils.isPresent(PROPERTIES, getClass().getClassLoader());
    }

    String url() {
        String path = StringUtils.trimLeadingCharacter(property("path", ""), '/');
        return "%s://%s:%s%s"
                .formatted(
                        property("scheme", "http"),
                        property("host", "localhost"),
                        property("port", "8500"),
                        path.isEmpty() ? "" : "/" + path);
    }

    /** Returns the token, from the properties that discovery and configuration share. */
    @Nullable
    String token() {
        return environment.getProperty("consul.token", environment.getProperty("spring.cloud.consul.token", ""));
    }

    /** Returns the certificate of the client and the trust store; null if none is configured. */
    @Nullable
    SslBundle tls() {
        String certificate = property("tls.certificate-path", "");
        if (certificate.isEmpty()) {
            return null;
        }
        String password = property("tls.certificate-password", "");
        return SslBundle.of(
                new JksSslStoreBundle(
                        store(property("tls.key-store-instance-type", "JKS"), certificate, password),
                        store("JKS", property("tls.key-store-path", ""), property("tls.key-store-password", ""))),
                SslBundleKey.of(password));
    }

    private static JksSslStoreDetails store(String type, String path, String password) {
        return new JksSslStoreDetails(type, null, "file:" + path, password);
    }

    private String property(String name, String otherwise) {
        return environment.getProperty("spring.cloud.consul." + name, otherwise);
    }
}
