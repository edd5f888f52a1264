package io.github.snowflakeid.it.mybatis;

import java.util.Map;
import org.apache.ibatis.annotations.Mapper;

/** Its statements are in mapper/MyBatisTicketMapper.xml. */
@Mapper
public interface MyBatisTicketMapper {

    void insert(MyBatisTicket ticket);

    void insertWhatIsSet(MyBatisPurchase purchase);

    Map<String, Object> find(long id);
}
