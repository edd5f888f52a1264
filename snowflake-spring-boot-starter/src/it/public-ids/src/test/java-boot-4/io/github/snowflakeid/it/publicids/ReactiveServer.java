package io.github.snowflakeid.it.publicids;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Runs WebFlux on Netty, as most applications do. On Tomcat, WebFlux closes a connection without an answer now and then
 * (spring-framework#33917).
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.REACTIVE)
class ReactiveServer {

    @Bean
    NettyReactiveWebServerFactory webServerFactory() {
        return new NettyReactiveWebServerFactory();
    }
}
