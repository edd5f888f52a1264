package io.github.snowflakeid.consul;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of leases in Consul.
 *
 * @param url URL of a Consul agent. By default http://localhost:8500. If neither the URL nor a token nor an SSL bundle
 *     is set, the settings of Spring Cloud Consul are used.
 * @param token Token of Consul's access control list, or a file with it ("file:/path").
 * @param prefix Start of the keys of leases in Consul; the namespace follows. No other data may be stored there.
 * @param datacenter Datacenter of Consul that keeps the leases. By default the agent's datacenter, if there is no other
 *     one.
 * @param sslBundle SSL bundle for an agent with "https".
 */
@ConfigurationProperties("snowflake.worker.consul")
record ConsulProperties(
        @Nullable String url,
        @Nullable String token,
        @DefaultValue("snowflake/") String prefix,
        @Nullable String datacenter,
        @Nullable String sslBundle) {}
