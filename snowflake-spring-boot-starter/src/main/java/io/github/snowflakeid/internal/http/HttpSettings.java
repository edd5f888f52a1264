package io.github.snowflakeid.internal.http;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Causes;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.LeaseSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.ResourceUtils;
import org.springframework.util.StringUtils;

/**
 * Opens the servers of a store by the settings of a generator.
 *
 * @param store the name of the store in messages
 * @param group the name of the group of properties
 * @param property the name of the property for the servers in this group
 * @param example the URL of a server
 * @param bundles the SSL bundles of the application
 */
public record HttpSettings(
        String store, String group, String property, String example, ObjectProvider<SslBundles> bundles) {

    private static final Pattern PREFIX = Pattern.compile("[\\w.-][\\w./-]*");

    /**
     * Opens the servers. They use an SSL bundle, also after it was updated.
     *
     * @param urls the URLs of the servers
     * @param bundle the name of the SSL bundle; empty or null if there is none
     * @param settings the settings of the generator
     * @return the servers
     * @throws ConfigurationException if a URL or the bundle is invalid
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
        } catch (NoSuchSslBundleException | IllegalStateException e) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '%s.ssl-bundle' names the SSL bundle '%s', which cannot be used: %s"
                            .formatted(group, bundle, Causes.root(e).getMessage()),
                    """
                    Define or correct the bundle, for example:

                    spring.ssl.bundle.pem.%s.truststore.certificate: file:/path/of/ca.crt""".formatted(bundle),
                    e);
        }
        return opened;
    }

    /**
     * Opens the servers with settings for TLS from elsewhere.
     *
     * @param urls the URLs of the servers
     * @param tls supplies the settings for TLS; null stands for the trust store of the JVM
     * @param settings the settings of the generator
     * @return the servers
     * @throws ConfigurationException if a URL is invalid
     */
    public HttpServers open(List<String> urls, Supplier<@Nullable SslBundle> tls, LeaseSettings settings) {
        if (urls.isEmpty()) {
            throw invalid("there must be the URL of a server", property, example);
        }
        String all = String.join(",", urls.stream().distinct().toList());
        return new HttpServers(
                store, urls.stream().map(this::url).toList(), tls, settings.longestAnswer(), """
                Start %1$s. More than half of its servers must be able to reach each other, and this process must reach them:

                %2$s.%3$s: %4$s""".formatted(
                                store, group, property, all));
    }

    private URI url(String text) {
        try {
            URI url = URI.create(StringUtils.trimTrailingCharacter(text.strip(), '/'));
            // The client ignores a login in the URL, which messages would show.
            if (url.getHost() != null
                    && url.getRawUserInfo() == null
                    && List.of("http", "https").contains(url.getScheme())) {
                return url;
            }
        } catch (IllegalArgumentException e) {
            // The rule says what is wrong.
        }
        throw invalid(
                "the URL of a server must be like %s, but was '%s'".formatted(example, text.replaceAll(".*@", "***@")),
                property,
                example);
    }

    /**
     * Checks the prefix of keys.
     *
     * @param prefix the prefix
     * @return the prefix, which ends with a slash
     * @throws ConfigurationException if it has characters that need escapes in URLs or shells, or begins with a slash
     */
    public String prefix(String prefix) {
        if (!PREFIX.matcher(prefix).matches()) {
            throw invalid(
                    "prefix must consist of letters, digits and . _ - / and not begin with /, but was '%s'"
                            .formatted(prefix),
                    "prefix",
                    "snowflake/");
        }
        return prefix.endsWith("/") ? prefix : prefix + "/";
    }

    /**
     * Returns a secret, which may have been rotated since the last call.
     *
     * @param value the secret, or {@code file:} and the path of a file that contains it
     * @param name the name of the property in the group
     * @return the secret without surrounding white space; empty if there is none
     * @throws ConfigurationException if the file cannot be read
     */
    public String secret(@Nullable String value, String name) {
        if (value == null || !value.startsWith("file:")) {
            return value == null ? "" : value.strip();
        }
        try {
            return Files.readString(ResourceUtils.getFile(value).toPath()).strip();
        } catch (IOException e) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '%s.%s' names a file that cannot be read: %s".formatted(group, name, e),
                    "Create the file '%s', and let the application read it.".formatted(value),
                    e);
        }
    }

    private ConfigurationException invalid(String rule, String name, String valid) {
        return Problem.invalid(new IllegalArgumentException(rule), group + "." + name, valid);
    }
}
