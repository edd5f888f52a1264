package io.github.snowflakeid.it.mybatis;

import java.util.List;
import java.util.Map;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;

@Mapper
public interface MyBatisPurchaseMapper {

    @Insert("insert into purchase (id, customer) values (#{id}, #{customer})")
    void insert(MyBatisPurchase purchase);

    @Insert("insert into purchase (id, customer) values (#{it.id}, #{it.customer})")
    void insertNamed(@Param("it") MyBatisPurchase purchase);

    @Insert("insert into purchase (id, customer) values (#{purchase.id}, #{customer})")
    void insertFor(@Param("customer") String customer, @Param("purchase") MyBatisPurchase purchase);

    @Insert(
            "insert into purchase (id, customer) values (#{first.id}, #{first.customer}), (#{second.id}, #{second.customer})")
    void insertBoth(@Param("first") MyBatisPurchase first, @Param("second") MyBatisPurchase second);

    @Insert("""
            <script>
            insert into purchase (id, customer) values
            <foreach collection="list" item="it" separator=",">(#{it.id}, #{it.customer})</foreach>
            </script>""")
    void insertAll(List<MyBatisPurchase> purchases);

    @Insert("""
            <script>
            insert into purchase (id, customer) values
            <foreach collection="array" item="it" separator=",">(#{it.id}, #{it.customer})</foreach>
            </script>""")
    void insertArray(MyBatisPurchase... purchases);

    @Insert("""
            <script>
            insert into purchase (id, customer) values
            <foreach collection="byTable" item="each" separator=",">
                <foreach collection="each" item="it" separator=",">(#{it.id}, #{it.customer})</foreach>
            </foreach>
            </script>""")
    void insertGroups(@Param("byTable") Map<String, List<MyBatisPurchase>> purchases);

    @Update("update purchase set customer = #{customer} where id = #{id}")
    int update(MyBatisPurchase purchase);

    @Select("select id, customer from purchase order by id")
    List<MyBatisPurchase> findAll();
}
