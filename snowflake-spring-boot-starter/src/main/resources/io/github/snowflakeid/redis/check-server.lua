-- Returns two texts from INFO of the server that stores the key: memory and persistence, and replication.
return {info('memory') .. info('persistence'), info('replication')}
