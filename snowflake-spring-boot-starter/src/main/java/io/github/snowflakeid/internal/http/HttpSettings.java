package io.github.snowflakeid.internal.http;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.Causes;
import io.github.snowflakeid.internal.store.LeaseSettings;
import java.net.URI;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;

/**
 * Opens the servers of a store by the settings of a generator.
 *
 * @param store the name of the store in messages
 * @param group the name of the group of properties
 * @param servers a valid line for the servers in {@code application.yml}
 * @param bundles the SSL bundles of the application
 */
public record HttpSettings(String store, String group, String servers, ObjectProvider<SslBundles> bundles) {

    private static final Pattern PREFIX = Pattern.compile("[\\w.-][\\w./-]*");

    /**
     * Opens the servers. They use an SSL bundle, also after it was updated.
     *
     * @param urls the URLs of the servers
     * @param bundle the name of the SSL bundle; empty or null if there is none
     * @param settings the settings of the generator
     * @return the servers
     * @throws IllegalArgumentException if a URL is invalid
     */
    public HttpServers open(List<String> urls, @Nullable String bundle, LeaseSettings settings) {
        if (!StringUtils.hasText(bundle)) {
            return open(urls, () -> null, settings);
        }
        SslBundles all = bundles.getObject();
        HttpServers opened = open(urls, () -> all.getBundle(bundle), settings);
        try {
            all.addBundleUpdateHandler(bundle, updated -> opened.close());
            all.getBundle(bundle).createSslContext();
        } catch (NoSuchSslBundleException e) {
            throw unusable(bundle, "does not exist", "Define it", e);
        } catch (IllegalStateException e) {
            throw unusable(bundle, "cannot be used: " + Causes.root(e).getMessage(), "Correct it, for example", e);
        }
        return opened;
    }

    private ConfigurationException unusable(String bundle, String why, String action, RuntimeException cause) {
        return Problem.INVALID_PROPERTY.exception(
                "Property '%s.ssl-bundle' names the SSL bundle '%s', which %s".formatted(group, bundle, why),
                "%s:\n\nspring.ssl.bundle.pem.%s.truststore.certificate: file:/path/of/ca.crt"
                        .formatted(action, bundle),
                cause);
    }

    /**
     * Opens the servers with settings for TLS from elsewhere.
     *
     * @param urls the URLs of the servers
     * @param tls supplies the settings for TLS; null stands for the trust store of the JVM
     * @param settings the settings of the generator
     * @return the servers
     * @throws IllegalArgumentException if a URL is invalid
     */
    public HttpServers open(List<String> urls, Supplier<@Nullable SslBundle> tls, LeaseSettings settings) {
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("there must be the URL of a server");
        }
        return new HttpServers(
                store, urls.stream().map(this::url).toList(), tls, settings.longestAnswer(), """
                Start %s, or set its address. More than half of its servers must be able to reach each other. For a certificate that the JVM does not trust, name an SSL bundle:

                %s
                %s.ssl-bundle: my-bundle""".formatted(
                                store, servers, group));
    }

    private URI url(String text) {
        try {
            URI url = URI.create(StringUtils.trimTrailingCharacter(text.strip(), '/'));
            if (url.getHost() != null && List.of("http", "https").contains(url.getScheme())) {
                return url;
            }
        } catch (IllegalArgumentException e) {
            // The rule says what is wrong.
        }
        throw new IllegalArgumentException(
                "the URL of a server must be like %s, but was '%s'".formatted(servers.split(": ", 2)[1], text));
    }

    /**
     * Checks a prefix of keys.
     *
     * @param prefix the prefix
     * @return the prefix, which ends with a slash
     * @throws IllegalArgumentException if it has characters that need escapes in URLs or shells, or begins with a slash
     */
    public static String prefix(String prefix) {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "prefix must consist of letters, digits and . _ - / and not begin with /, but was '%s'"
                            .formatted(prefix));
        }
        return prefix.endsWith("/") ? prefix : prefix + "/";
    }
}
