package io.github.snowflakeid.it.page;

import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;

@Mapper
public interface PurchaseMapper {

    @Insert("insert into purchase (id, customer) values (#{id}, #{customer})")
    void insert(Purchase purchase);
}
