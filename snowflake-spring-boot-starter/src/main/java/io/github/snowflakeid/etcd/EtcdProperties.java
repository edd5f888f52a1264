package io.github.snowflakeid.etcd;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of leases in etcd.
 *
 * @param endpoints URLs of the members of etcd. If one does not answer, the next one is used.
 * @param prefix Start of the keys of leases in etcd; the namespace follows. No other data may be stored there.
 * @param username Name of the etcd user, if authentication is enabled.
 * @param password Password of the etcd user, or a file with it ("file:/path").
 * @param sslBundle SSL bundle for members with "https".
 */
@ConfigurationProperties("snowflake.worker.etcd")
record EtcdProperties(
        @DefaultValue("http://localhost:2379") List<String> endpoints,
        @DefaultValue("snowflake/") String prefix,
        @Nullable String username,
        @Nullable String password,
        @Nullable String sslBundle) {}
