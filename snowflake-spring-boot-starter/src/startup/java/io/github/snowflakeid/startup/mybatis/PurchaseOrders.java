package io.github.snowflakeid.startup.mybatis;

import io.github.snowflakeid.SnowflakeId;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Select;

/** A mapper. */
@Mapper
public interface PurchaseOrders {

    /** A row with a Snowflake ID. */
    class PurchaseOrder {

        @SnowflakeId
        Long id;

        String customer = "";
    }

    /** Inserts a row. */
    @Insert("insert into purchase_order (id, customer) values (#{id}, #{customer})")
    void insert(PurchaseOrder order);

    /** Finds the customer of a row. */
    @Select("select customer from purchase_order where id = #{id}")
    String findCustomer(long id);
}
