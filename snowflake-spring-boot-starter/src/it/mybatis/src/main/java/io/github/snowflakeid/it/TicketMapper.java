package io.github.snowflakeid.it;

import java.util.Map;
import org.apache.ibatis.annotations.Mapper;

/** Its statements are in mapper/TicketMapper.xml. */
@Mapper
public interface TicketMapper {

    void insert(Ticket ticket);

    void insertWhatIsSet(Purchase purchase);

    Map<String, Object> find(long id);
}
