package org.springframework.cloud.consul;

/** Stands for Spring Cloud Consul, of which only the presence and the properties matter. */
public final class ConsulProperties {

    private ConsulProperties() {}
}
