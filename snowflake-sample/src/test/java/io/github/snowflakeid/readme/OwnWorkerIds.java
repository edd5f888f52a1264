package io.github.snowflakeid.readme;

import io.github.snowflakeid.WorkerId;
import io.github.snowflakeid.WorkerIdAssigner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

@Configuration(proxyBeanMethods = false)
@Profile("own-worker-ids")
class OwnWorkerIds {

    @Bean
    WorkerIdAssigner workerIds() {
        return layout -> new WorkerId(0, Integer.parseInt(System.getProperty("pod.number", "12")), "pod number");
    }
}
