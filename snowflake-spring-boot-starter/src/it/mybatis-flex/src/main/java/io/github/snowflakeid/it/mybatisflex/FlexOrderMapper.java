package io.github.snowflakeid.it.mybatisflex;

import com.mybatisflex.core.BaseMapper;

public interface FlexOrderMapper extends BaseMapper<FlexOrder> {}
