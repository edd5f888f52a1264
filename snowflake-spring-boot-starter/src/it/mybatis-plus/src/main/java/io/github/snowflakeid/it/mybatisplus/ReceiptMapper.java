package io.github.snowflakeid.it.mybatisplus;

import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import org.apache.ibatis.annotations.Mapper;

@Mapper
public interface ReceiptMapper extends BaseMapper<Receipt> {}
