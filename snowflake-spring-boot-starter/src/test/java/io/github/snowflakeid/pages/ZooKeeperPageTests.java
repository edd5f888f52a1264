package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.imps.DefaultACLProvider;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;

/** Has the code of docs/zookeeper.md. */
class ZooKeeperPageTests {

    static class OneClient {

        @Bean(initMethod = "start", destroyMethod = "close")
        CuratorFramework zooKeeper() {
            return CuratorFrameworkFactory.newClient("zk1:2181,zk2:2181,zk3:2181", new ExponentialBackoffRetry(100, 3));
        }
    }

    static class WithPermissions {

        @Bean(initMethod = "start", destroyMethod = "close")
        CuratorFramework zooKeeper(ACLProvider permissions) {
            return CuratorFrameworkFactory.builder()
                    .connectString("zk1:2181,zk2:2181,zk3:2181")
                    .authorization("digest", "shop:secret".getBytes(StandardCharsets.UTF_8))
                    .aclProvider(permissions)
                    .retryPolicy(new ExponentialBackoffRetry(100, 3))
                    .build();
        }
    }

    @Test
    void beansAreClientsThatTheContextStarts() {
        assertThat(new OneClient().zooKeeper().getState()).isEqualTo(CuratorFrameworkState.LATENT);
        assertThat(new WithPermissions().zooKeeper(new DefaultACLProvider()).getState())
                .isEqualTo(CuratorFrameworkState.LATENT);
    }
}
