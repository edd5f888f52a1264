package io.github.snowflakeid.it.datamongodb;

import java.util.Collection;
import java.util.List;
import org.springframework.data.mongodb.repository.MongoRepository;

public interface MongoOrderRepository extends MongoRepository<MongoOrder, MongoOrderId> {

    List<MongoOrder> findByReplaces(MongoOrderId id);

    List<MongoOrder> findByIdIn(Collection<MongoOrderId> ids);

    List<MongoOrder> findByRelated(MongoOrderId id);

    List<MongoOrder> findByParent(MongoOrder parent);

    List<MongoOrder> findByRoot(MongoOrder root);
}
